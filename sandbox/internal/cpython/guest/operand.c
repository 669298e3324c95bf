// A short way through CPython's parser, for operands that are one token.
//
// Between an expression and a name in it lie 14 rules, six of which are left-recursive and so parsed twice. Where a name or a number is followed by a token
// that no rule in between goes on with, they all find the name: parse_operand says so at once. And where no operator of a left-recursive rule follows what it
// found, it finds the same again: parse_ended saves that. Trees, errors and the order in which tokens are read are as before. Where a program is wrong, CPython
// parses it a second time, with rules for what is wrong, and these go the long way; so does what nests nearly too deep.
#include "guest.h"

#include "pegen.h"

enum { deepest = 5900, longest_number = 300 };

static bool is_read(Parser *p, int mark) {
  if (mark < p->fill || _PyPegen_fill_token(p) == 0)
    return true;
  p->error_indicator = 1;
  return false;
}

static bool is_one(uint64_t set, int type) { return type < 64 ? set >> type & 1 : set >> 63; }

int parse_operand(Parser *p, int rule, uint64_t more, void *result) {
  if (p->call_invalid_rules || p->level > deepest)
    return 0;
  int mark = p->mark, type = p->tokens[mark]->type;
  if (type == NUMBER ? p->feature_version < 6 || PyBytes_GET_SIZE(p->tokens[mark]->bytes) > longest_number : type != NAME)
    return 0;
  if (!is_read(p, mark + 1))
    return 1; // and the result is NULL
  if (is_one(more, p->tokens[mark + 1]->type))
    return 0;
  expr_ty operand = type == NAME ? _PyPegen_name_token(p) : _PyPegen_number_token(p);
  if (!operand || _PyPegen_insert_memo(p, mark, rule, operand) < 0)
    p->error_indicator = 1;
  *(expr_ty *)result = operand;
  return 1;
}

int parse_ended(Parser *p, int mark, int rule, uint64_t operators, void *result) {
  if (p->call_invalid_rules || !is_read(p, p->mark) || is_one(operators, p->tokens[p->mark]->type))
    return 0;
  if (_PyPegen_update_memo(p, mark, rule, result) < 0)
    p->error_indicator = 1;
  return 1;
}
