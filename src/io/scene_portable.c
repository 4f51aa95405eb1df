// SPDX-License-Identifier: MIT
// A scene that YAML 1.1 and 1.2 read alike. Many readers know 1.1 only, and take 5e-3 or 1e5 for a text, 010 for an eight, a
// material called `on` for a truth. Numbers stay the same numbers, texts the same texts, all else the same bytes.
#include "base/memory.h"
#include "io/scene_set.h"
#include "io/scene_value.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---------------------------------------------------------------- what must be written in another way

// YAML 1.1 wants a point before a power and a sign within it. NULL: it is right as it is; else to be freed.
static char *number_portable(const char *text)
{
	const char *power = strpbrk(text, "eE");
	bool sign = power && (power[1] == '-' || power[1] == '+');
	bool point = power ? memchr(text, '.', (size_t)(power - text)) != NULL : strchr(text, '.') != NULL;
	const char *first = text + (*text == '-' || *text == '+'), *whole = first;
	while (!power && !point && whole[0] == '0' && isdigit((unsigned char)whole[1]))
		whole++; // 010 would be eight
	if (whole == first && (!power || (point && sign)))
		return NULL;
	char *fresh = malloc(strlen(text) + 8);
	if (!fresh)
		memory_lost();
	int length = power ? (int)(power - whole) : (int)strlen(whole);
	sprintf(fresh, "%.*s%.*s%s%s%s%s", (int)(first - text), text, length, whole, power && !point ? ".0" : "", power ? "e" : "",
	        power && !sign ? "+" : "", power ? power + 1 : "");
	return fresh;
}

// Could YAML 1.1 take this text for a number, a date, a truth or nothing? Quotes too many do no harm.
static bool text_is_odd(const char *text)
{
	static const char *const words[] = {"y", "yes", "n", "no", "on", "off", "true", "false", "null", "~", "=", "<<"};
	for (size_t i = 0; i < sizeof words/sizeof *words; i++)
		if (strcasecmp(text, words[i]) == 0)
			return true;
	return isdigit((unsigned char)text[0]) || (text[0] && strchr("+-.", text[0]));
}

static char *text_portable(const char *text)
{
	if (!text_is_odd(text))
		return NULL;
	char *fresh = malloc(2*strlen(text) + 3), *at = fresh;
	if (!fresh)
		memory_lost();
	*at++ = '"';
	for (; *text; *at++ = *text++)
		if (*text == '"' || *text == '\\')
			*at++ = '\\';
	strcpy(at, "\"");
	return fresh;
}

// ---------------------------------------------------------------- where

typedef struct change { // bytes start .. end become text
	size_t start, end;
	char *text;
} change;

typedef struct changes {
	const char *text;
	size_t length;
	change *list;
	int count, room;
} changes;

static void scalar_look(changes *c, const scene_node *node, bool is_text)
{
	size_t size = strlen(node->text);
	bool there = node->start < node->end && node->end <= c->length && node->end - node->start == size &&
	             memcmp(c->text + node->start, node->text, size) == 0;
	if (!node->plain || !there || (!is_text && !scene_is_number(node->text)))
		return;
	char *fresh = is_text ? text_portable(node->text) : number_portable(node->text);
	if (!fresh)
		return;
	if (c->count == c->room) {
		c->room = 2*c->room + 16;
		c->list = realloc(c->list, (size_t)c->room*sizeof *c->list);
		if (!c->list)
			memory_lost();
	}
	c->list[c->count++] = (change){node->start, node->end, fresh};
}

// Names are texts, and so is what stands behind these keys; all else that looks like a number is one.
static bool holds_texts(const scene_node *key)
{
	static const char *const names[] = {"title", "material", "between", "path"};
	for (size_t i = 0; key && i < sizeof names/sizeof *names; i++)
		if (strcmp(key->text, names[i]) == 0)
			return true;
	return false;
}

static void node_look(changes *c, const scene_node *node, bool is_text)
{
	if (node->kind == SCENE_SCALAR)
		return scalar_look(c, node, is_text);
	for (int i = 0; i < node->count; i++) {
		const scene_entry *entry = &node->entry[i];
		if (entry->key)
			scalar_look(c, entry->key, true);
		node_look(c, entry->value, entry->key ? holds_texts(entry->key) : is_text);
	}
}

// ---------------------------------------------------------------- the text

static int change_compare(const void *a, const void *b)
{
	const change *x = a, *y = b;
	return x->start < y->start ? -1 : x->start > y->start;
}

static char *changes_apply(const changes *c)
{
	char *fresh = NULL;
	size_t size, from = 0;
	FILE *out = open_memstream(&fresh, &size);
	if (!out)
		memory_lost();
	for (int i = 0; i < c->count; i++) {
		const change *k = &c->list[i];
		if (k->start < from) // an alias leads to the same place again
			continue;
		fwrite(c->text + from, 1, k->start - from, out);
		fputs(k->text, out);
		from = k->end;
	}
	fwrite(c->text + from, 1, c->length - from, out);
	fclose(out);
	return fresh;
}

static bool same_number(const scene_node *a, const scene_node *b)
{
	return a->plain && b->plain && scene_is_number(a->text) && scene_is_number(b->text) &&
	       strtod(a->text, NULL) == strtod(b->text, NULL);
}

static bool same_meaning(const scene_node *a, const scene_node *b)
{
	if (a->kind != b->kind || a->count != b->count)
		return false;
	if (a->kind == SCENE_SCALAR)
		return strcmp(a->text, b->text) == 0 || same_number(a, b);
	for (int i = 0; i < a->count; i++) {
		const scene_node *key = a->entry[i].key;
		if ((key && strcmp(key->text, b->entry[i].key->text) != 0) || !same_meaning(a->entry[i].value, b->entry[i].value))
			return false;
	}
	return true;
}

static bool text_means(const char *text, const scene_node *root)
{
	scene_tree tree;
	talus_error ignored;
	if (!scene_tree_parse(&tree, text, strlen(text), "", &ignored))
		return false;
	bool same = same_meaning(tree.root, root);
	scene_tree_free(&tree);
	return same;
}

char *scene_portable(char *text)
{
	scene_tree tree;
	talus_error ignored;
	changes c = {.text = text, .length = strlen(text)};
	if (!scene_tree_parse(&tree, text, c.length, "", &ignored))
		return text;
	node_look(&c, tree.root, false);
	if (c.count) {
		qsort(c.list, (size_t)c.count, sizeof *c.list, change_compare);
		char *fresh = changes_apply(&c);
		bool good = text_means(fresh, tree.root);
		free(good ? text : fresh);
		text = good ? fresh : text;
	}
	for (int i = 0; i < c.count; i++)
		free(c.list[i].text);
	free(c.list);
	scene_tree_free(&tree);
	return text;
}
