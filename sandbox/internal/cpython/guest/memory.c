// The heap: it grows within a memory whose size is fixed.
//
// wasi-libc's sbrk calls memory.grow, and a memory that has grown cannot shrink again. Here the whole memory is there from the start, as zero pages that
// cost nothing, and the break is a variable in it: restoring the bytes restores the heap. The size that the host gave the memory is the limit.
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"

extern uint8_t __heap_end; // the linker's: the end of the memory that the module asks for

static uintptr_t heap_break;
static uint64_t heap_limit; // 0: the whole memory
volatile uint32_t exhausted;

void *sbrk(intptr_t increment) {
  if (heap_break == 0)
    heap_break = (uintptr_t)&__heap_end;
  // 64-bit, for a memory of 4 GiB.
  uint64_t limit = (uint64_t)__builtin_wasm_memory_size(0) << 16;
  if (heap_limit && heap_limit < limit)
    limit = heap_limit;
  if (increment < 0 || (uint64_t)heap_break + (uint64_t)increment > limit) {
    exhausted = 1;
    errno = ENOMEM;
    return (void *)-1;
  }
  void *old = (void *)heap_break;
  heap_break += (uintptr_t)increment;
  return old;
}

void limit_memory(uint64_t more) { heap_limit = (uint64_t)heap_break + more; }

// reserve makes room for size more bytes.
static bool reserve(buffer *b, size_t size) {
  if (b->failed)
    return false;
  if (size <= b->room - b->size)
    return true;
  size_t room = b->room ? b->room : 4096;
  while (room - b->size < size)
    room *= 2;
  uint8_t *data = realloc(b->data, room);
  if (!data) {
    b->failed = true;
    return false;
  }
  b->data = data;
  b->room = room;
  return true;
}

void put_bytes(buffer *b, const void *data, size_t size) {
  if (size && reserve(b, size)) {
    memcpy(b->data + b->size, data, size);
    b->size += size;
  }
}

void put_byte(buffer *b, uint8_t byte) {
  if (reserve(b, 1))
    b->data[b->size++] = byte;
}

void put_uvarint(buffer *b, uint64_t value) {
  if (!reserve(b, 10))
    return;
  for (; value >= 0x80; value >>= 7)
    b->data[b->size++] = (uint8_t)value | 0x80;
  b->data[b->size++] = (uint8_t)value;
}

static size_t wtf8_width(Py_UCS4 c) { return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4; }

// wtf8_cut returns how many characters of object have at most limit bytes, and those bytes in *size.
static Py_ssize_t wtf8_cut(PyObject *object, size_t limit, size_t *size) {
  Py_ssize_t length = PyUnicode_GET_LENGTH(object);
  if (PyUnicode_IS_ASCII(object)) {
    *size = (size_t)length < limit ? (size_t)length : limit;
    return (Py_ssize_t)*size;
  }
  int kind = PyUnicode_KIND(object);
  const void *data = PyUnicode_DATA(object);
  size_t bytes = 0;
  Py_ssize_t i = 0;
  for (; i < length; i++) {
    size_t width = wtf8_width(PyUnicode_READ(kind, data, i));
    if (bytes + width > limit)
      break;
    bytes += width;
  }
  *size = bytes;
  return i;
}

size_t wtf8_size(PyObject *object) {
  size_t size;
  wtf8_cut(object, SIZE_MAX, &size);
  return size;
}

void put_text(buffer *b, PyObject *object, size_t limit) {
  size_t size;
  Py_ssize_t length = wtf8_cut(object, limit, &size);
  put_uvarint(b, size);
  if (PyUnicode_IS_ASCII(object)) {
    put_bytes(b, PyUnicode_DATA(object), size);
    return;
  }
  if (!reserve(b, size))
    return;
  int kind = PyUnicode_KIND(object);
  const void *data = PyUnicode_DATA(object);
  uint8_t *out = b->data + b->size;
  for (Py_ssize_t i = 0; i < length; i++) {
    Py_UCS4 c = PyUnicode_READ(kind, data, i);
    switch (wtf8_width(c)) {
    case 1:
      *out++ = (uint8_t)c;
      break;
    case 2:
      *out++ = (uint8_t)(0xc0 | c >> 6);
      *out++ = (uint8_t)(0x80 | (c & 0x3f));
      break;
    case 3:
      *out++ = (uint8_t)(0xe0 | c >> 12);
      *out++ = (uint8_t)(0x80 | (c >> 6 & 0x3f));
      *out++ = (uint8_t)(0x80 | (c & 0x3f));
      break;
    default:
      *out++ = (uint8_t)(0xf0 | c >> 18);
      *out++ = (uint8_t)(0x80 | (c >> 12 & 0x3f));
      *out++ = (uint8_t)(0x80 | (c >> 6 & 0x3f));
      *out++ = (uint8_t)(0x80 | (c & 0x3f));
    }
  }
  b->size += size;
}

// slot returns where key is or would be.
static uint32_t slot(const addresses *a, const void *key) {
  uint32_t i = (uint32_t)((uintptr_t)key >> 3) * 2654435761u;
  for (i >>= 7;; i++) {
    i &= a->room - 1;
    if (!a->keys[i] || a->keys[i] == key)
      return i;
  }
}

uint32_t *addresses_find(addresses *a, const void *key, uint32_t value, bool *found) {
  if (a->count * 2 >= a->room) {
    addresses larger = {.room = a->room ? a->room * 2 : 64};
    larger.keys = calloc(larger.room, sizeof *larger.keys);
    larger.values = malloc(larger.room * sizeof *larger.values);
    if (!larger.keys || !larger.values) {
      addresses_clear(&larger);
      return NULL;
    }
    for (uint32_t i = 0; i < a->room; i++)
      if (a->keys[i]) {
        uint32_t to = slot(&larger, a->keys[i]);
        larger.keys[to] = a->keys[i];
        larger.values[to] = a->values[i];
      }
    larger.count = a->count;
    addresses_clear(a);
    *a = larger;
  }
  uint32_t i = slot(a, key);
  *found = a->keys[i] != NULL;
  if (!*found) {
    a->keys[i] = key;
    a->values[i] = value;
    a->count++;
  }
  return &a->values[i];
}

void addresses_clear(addresses *a) {
  free(a->keys);
  free(a->values);
  *a = (addresses){0};
}
