// What the parts of the reactor share. See README.md for the wire format.
#ifndef GUEST_H
#define GUEST_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>

// A growing run of bytes. Once memory ran out it is failed and takes no more.
typedef struct {
  uint8_t *data;
  size_t size, room;
  bool failed;
} buffer;

void put_bytes(buffer *b, const void *data, size_t size);
void put_byte(buffer *b, uint8_t byte);
void put_uvarint(buffer *b, uint64_t value);
// put_text writes a string: object's text as WTF-8, cut after limit bytes at the end of a character.
void put_text(buffer *b, PyObject *object, size_t limit);
size_t wtf8_size(PyObject *object);

// A map from addresses to numbers, by open addressing.
typedef struct {
  const void **keys;
  uint32_t *values;
  uint32_t count, room; // room is a power of two, or 0
} addresses;

// addresses_find returns the place of key's value, after adding it with value if it is not there; *found reports whether it was. NULL: no memory.
uint32_t *addresses_find(addresses *a, const void *key, uint32_t value, bool *found);
void addresses_clear(addresses *a);

// The encoder of one reply.
void encode_boot(void);
void encode_begin(void);
void encode_class(buffer *b, PyTypeObject *type);
void encode_value(buffer *b, PyObject *object, uint64_t items); // NULL: absent
void encode_end(void);

// Coverage of one program.
int coverage_boot(void);
int coverage_begin(PyObject *code);
void coverage_restart(void);
void coverage_put(buffer *b);

// trees_open puts the module _trees into sys.modules. Without it the module does not exist.
int trees_open(void);

// limit_memory bounds the heap to so many bytes more than it has.
void limit_memory(uint64_t more);

// The machine of an ordinary program.
extern bool has_machine;
int machine_boot(PyObject *names); // adds to names the functions that boot.py needs
int machine_start(void);

#endif
