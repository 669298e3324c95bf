/**
 * Returns the path of the binary: CODELINTER_BINARY if it is set, else that of the
 * package for this system. Throws an Error that says what is missing.
 */
export function findBinary(): string;
