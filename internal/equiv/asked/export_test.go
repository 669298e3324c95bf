package asked

// Rules returns all rules in the order of their codes.
func Rules() []Rule { return rules }
