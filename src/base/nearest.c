// SPDX-License-Identifier: MIT
// Edit distance in which swapping two neighbours is one slip, as missing, adding or changing a letter is.
#include "base/nearest.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define LETTERS 64 // longer words are compared by their first letters

static int least(int a, int b)
{
	return a < b ? a : b;
}

// Upper and lower case count as the same.
static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int cut_length(const char *word)
{
	size_t length = strlen(word);
	return length < LETTERS ? (int)length : LETTERS;
}

static int distance(const char *a, const char *b)
{
	int rows[3][LETTERS + 1], length_a = cut_length(a), length_b = cut_length(b);
	for (int j = 0; j <= length_b; j++)
		rows[0][j] = j;
	for (int i = 1; i <= length_a; i++) {
		int *row = rows[i%3], *above = rows[(i + 2)%3], *higher = rows[(i + 1)%3];
		row[0] = i;
		for (int j = 1; j <= length_b; j++) {
			int change = lower(a[i - 1]) != lower(b[j - 1]);
			row[j] = least(above[j - 1] + change, least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
				lower(a[i - 2]) == lower(b[j - 1]))
				row[j] = least(row[j], higher[j - 2] + 1);
		}
	}
	return rows[length_a%3][length_b];
}

// One slip can lead to several names of two or three letters: then to swap letters is likelier than to mistake one.
static bool same_letters(const char *a, const char *b)
{
	int balance[256] = {0};
	if (strlen(a) != strlen(b))
		return false;
	for (; *a; a++, b++) {
		balance[(unsigned char)lower(*a)]++;
		balance[(unsigned char)lower(*b)]--;
	}
	for (int i = 0; i < 256; i++)
		if (balance[i])
			return false;
	return true;
}

const char *nearest_name(const char *word, const char *const *names)
{
	const char *nearest = NULL;
	int fewest = 0;
	for (; *names; names++) {
		int slips = distance(word, *names), longer = cut_length(word);
		if (cut_length(*names) > longer)
			longer = cut_length(*names);
		// a third of the letters may be wrong; more is another word
		bool better = !nearest || slips < fewest ||
		              (slips == fewest && same_letters(word, *names) && !same_letters(word, nearest));
		if (slips <= (longer + 1)/3 && better) {
			nearest = *names;
			fewest = slips;
		}
	}
	return nearest;
}
