// What the unit tests share: cmocka and the headers that it needs.
#ifndef CUTE_TEST_CHECK_H
#define CUTE_TEST_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
