// SPDX-License-Identifier: MIT
// Characters of UTF-8.
#ifndef TALUS_UTF8_H
#define TALUS_UTF8_H

#include <stddef.h>

// Bytes of the one that begins here, of which at most `left` may be looked at; 0 if there is none.
static inline size_t utf8_length(const unsigned char *c, size_t left)
{
	size_t length = c[0] < 0x80 ? 1 : c[0] >= 0xc2 && c[0] < 0xe0 ? 2 : (c[0] & 0xf0) == 0xe0 ? 3 :
		c[0] >= 0xf0 && c[0] < 0xf5 ? 4 : 0;
	if (length > left)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	}
	if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0) ||
		(c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90))
		return 0;
	return length;
}

// Of a text that ends with NUL.
static inline size_t utf8_next(const char *text)
{
	return utf8_length((const unsigned char *)text, 4); // NUL continues no character
}

#endif
