// SPDX-License-Identifier: MIT
// From YAML text to a tree, by the events of libfyaml. Its own document tree is not used because it hides where
// lists and mappings begin.
#include "io/scene_tree.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 64

typedef struct block { // many pieces of memory
	struct block *next;
	size_t used, size;
	max_align_t memory[];
} block;

enum { BLOCK_SIZE = 1 << 16 };

typedef struct anchor {
	struct anchor *next;
	const char *name;
	scene_node *node;
} anchor;

typedef struct builder {
	scene_tree *tree;
	struct fy_parser *parser;
	struct fy_diag *diag;
	const char *source;
	talus_error *error;
	anchor *anchors;
	int depth;
	int line, column; // where the last event ended, for values that are not there
	size_t end;
} builder;

void *scene_tree_take(scene_tree *tree, size_t size)
{
	block *last = tree->blocks;
	size = (size + sizeof(double) - 1)/sizeof(double)*sizeof(double); // nothing in a tree needs more alignment than that
	if (!last || size > last->size - last->used) {
		size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
		block *fresh = calloc(1, sizeof *fresh + room);
		if (!fresh)
			memory_lost();
		*fresh = (block){.next = last, .size = room};
		tree->blocks = last = fresh;
	}
	last->used += size;
	return (char *)last->memory + last->used - size;
}

char *scene_tree_copy(scene_tree *tree, const char *text, size_t length)
{
	char *copy = scene_tree_take(tree, length + 1);
	memcpy(copy, text, length);
	return copy;
}

void scene_tree_free(scene_tree *tree)
{
	for (block *next, *at = tree->blocks; at; at = next) {
		next = at->next;
		free(at);
	}
	*tree = (scene_tree){0};
}

scene_entry *scene_tree_append(scene_tree *tree, scene_node *parent, scene_node *key, scene_node *value)
{
	if (parent->count == parent->capacity) {
		int capacity = parent->capacity ? 2*parent->capacity : 4;
		scene_entry *more = scene_tree_take(tree, (size_t)capacity*sizeof *more);
		if (parent->count)
			memcpy(more, parent->entry, (size_t)parent->count*sizeof *more);
		parent->entry = more;
		parent->capacity = capacity;
	}
	scene_entry *entry = &parent->entry[parent->count++];
	*entry = (scene_entry){key, value, value->start, value->end};
	return entry;
}

// ---------------------------------------------------------------- events to nodes

static bool yaml_error(builder *b)
{
	void *iterator = NULL;
	const struct fy_diag_error *first = fy_diag_errors_iterate(b->diag, &iterator);
	if (!first)
		return error_at(b->error, b->source, b->line, b->column, "this is not valid YAML");
	return error_at(b->error, b->source, first->line, first->column, "this is not valid YAML: %s",
		first->msg);
}

static struct fy_event *next_event(builder *b)
{
	struct fy_event *event = fy_parser_parse(b->parser);
	if (!event && fy_parser_get_stream_error(b->parser))
		yaml_error(b);
	return event;
}

static scene_node *node_create(builder *b, scene_kind kind, struct fy_event *event)
{
	scene_node *node = scene_tree_take(b->tree, sizeof *node);
	node->kind = kind;
	node->source = b->source;
	const struct fy_mark *start = fy_event_start_mark(event), *end = fy_event_end_mark(event);
	node->line = start ? start->line + 1 : b->line;
	node->column = start ? start->column + 1 : b->column;
	node->start = start ? start->input_pos : b->end;
	node->end = start && end ? end->input_pos : node->start;
	if (start && end) {
		b->line = end->line + 1;
		b->column = end->column + 1;
		b->end = node->end;
	}
	return node;
}

static void anchor_add(builder *b, struct fy_event *event, scene_node *node)
{
	struct fy_token *token = fy_event_get_anchor_token(event);
	if (!token)
		return;
	size_t length;
	const char *text = fy_token_get_text(token, &length);
	anchor *fresh = scene_tree_take(b->tree, sizeof *fresh);
	*fresh = (anchor){b->anchors, scene_tree_copy(b->tree, text, length), node};
	b->anchors = fresh;
}

static scene_node *scalar(builder *b, struct fy_event *event)
{
	size_t length;
	const char *text = fy_token_get_text(event->scalar.value, &length);
	scene_node *node = node_create(b, SCENE_SCALAR, event);
	enum fy_scalar_style style = event->scalar.value ? fy_token_scalar_style(event->scalar.value) :
		FYSS_PLAIN;
	node->plain = style == FYSS_PLAIN;
	if (style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) { // the marks are inside the quotes
		node->start--;
		node->end++;
		node->column--;
	}
	if (text && memchr(text, 0, length)) {
		error_at(b->error, b->source, node->line, node->column,
			"a text must not contain the character NUL");
		return NULL;
	}
	node->text = scene_tree_copy(b->tree, text ? text : "", text ? length : 0);
	return node;
}

static scene_node *alias(builder *b, struct fy_event *event)
{
	scene_node *place = node_create(b, SCENE_SCALAR, event);
	size_t length;
	const char *text = fy_token_get_text(event->alias.anchor, &length);
	for (anchor *at = b->anchors; at; at = at->next) {
		if (strlen(at->name) == length && !memcmp(at->name, text, length))
			return at->node;
	}
	error_at(b->error, b->source, place->line, place->column - 1,
		"`*%.*s` refers to an anchor that is not declared above it", (int)length, text);
	return NULL;
}

static scene_node *any(builder *b, struct fy_event *event);

static scene_node *child(builder *b, struct fy_event *event, size_t *start)
{
	const struct fy_mark *mark = fy_event_start_mark(event);
	*start = mark ? mark->input_pos : b->end;
	scene_node *node = any(b, event);
	fy_parser_event_free(b->parser, event);
	return node;
}

static bool entry_read(builder *b, scene_node *parent, struct fy_event *event)
{
	scene_node *key = NULL;
	size_t start;
	if (parent->kind == SCENE_MAP) {
		key = child(b, event, &start);
		if (!key)
			return false;
		if (key->kind != SCENE_SCALAR)
			return error_at(b->error, b->source, key->line, key->column,
				"a key must be a plain word");
		event = next_event(b);
		if (!event)
			return false;
	}
	bool is_alias = event->type == FYET_ALIAS;
	scene_node *value = child(b, event, &start);
	if (!value)
		return false;
	scene_entry *entry = scene_tree_append(b->tree, parent, key, value);
	if (is_alias) {
		entry->start = start ? start - 1 : 0; // the star stands before the mark
		entry->end = b->end;
	}
	return true;
}

static scene_node *collection(builder *b, struct fy_event *event, scene_kind kind, enum fy_event_type last)
{
	scene_node *node = node_create(b, kind, event);
	node->flow = fy_event_get_node_style(event) == FYNS_FLOW;
	if (++b->depth > DEEPEST) {
		error_at(b->error, b->source, node->line, node->column,
			"this is nested more than %d levels deep", DEEPEST);
		return NULL;
	}
	for (;;) {
		struct fy_event *inner = next_event(b);
		if (!inner)
			return NULL;
		if (inner->type == last) {
			// without brackets it ends where its last value ends, not where the next thing begins
			const struct fy_mark *end = fy_event_end_mark(inner);
			node->end = node->flow && end ? end->input_pos : b->end;
			b->end = node->end;
			fy_parser_event_free(b->parser, inner);
			b->depth--;
			return node;
		}
		if (!entry_read(b, node, inner))
			return NULL;
	}
}

static scene_node *any(builder *b, struct fy_event *event)
{
	scene_node *node = NULL;
	if (fy_event_get_tag_token(event)) {
		scene_node *place = node_create(b, SCENE_SCALAR, event);
		error_at(b->error, b->source, place->line, place->column, "a scene has no use for YAML tags");
		return NULL;
	}
	if (event->type == FYET_SCALAR)
		node = scalar(b, event);
	else if (event->type == FYET_ALIAS)
		node = alias(b, event);
	else if (event->type == FYET_SEQUENCE_START)
		node = collection(b, event, SCENE_LIST, FYET_SEQUENCE_END);
	else
		node = collection(b, event, SCENE_MAP, FYET_MAPPING_END);
	if (node && event->type != FYET_ALIAS)
		anchor_add(b, event, node);
	return node;
}

// ---------------------------------------------------------------- the whole text

static bool document(builder *b)
{
	struct fy_event *event;
	while ((event = next_event(b))) {
		enum fy_event_type type = event->type;
		bool content = type == FYET_SCALAR || type == FYET_ALIAS || type == FYET_SEQUENCE_START ||
			type == FYET_MAPPING_START;
		if (content && b->tree->root) {
			scene_node *place = node_create(b, SCENE_SCALAR, event);
			fy_parser_event_free(b->parser, event);
			return error_at(b->error, b->source, place->line, place->column,
				"a scene is one YAML document, but here begins a second one");
		}
		if (content)
			b->tree->root = any(b, event);
		fy_parser_event_free(b->parser, event);
		if (content && !b->tree->root)
			return false;
	}
	if (fy_parser_get_stream_error(b->parser))
		return false;
	if (!b->tree->root || (scene_node_null(b->tree->root) && !*b->tree->root->text))
		return error_at(b->error, b->source, 1, 1, "there is nothing in it");
	return true;
}

// 0 if it has no place here: libfyaml takes a bad byte for the end.
static size_t character_length(const unsigned char *c, size_t left)
{
	bool control = c[0] == 0x7f || (c[0] < 0x20 && c[0] != '\t' && c[0] != '\n' && c[0] != '\r');
	return control ? 0 : utf8_length(c, left);
}

static bool characters_check(const char *text, size_t length, const char *source, talus_error *error)
{
	int line = 1, column = 1;
	for (size_t i = 0; i < length;) {
		size_t step = character_length((const unsigned char *)text + i, length - i);
		if (!step)
			return error_at(error, source, line, column,
				"the byte 0x%02x has no place in a text in UTF-8", (unsigned char)text[i]);
		column++;
		if (text[i] == '\n') {
			line++;
			column = 1;
		}
		i += step;
	}
	return true;
}

// The library may say something beside what it collects.
static void say_nothing(struct fy_diag *diag, void *user, const char *text, size_t length)
{
	(void)diag, (void)user, (void)text, (void)length;
}

bool scene_tree_parse(scene_tree *tree, const char *text, size_t length, const char *source,
	talus_error *error)
{
	*tree = (scene_tree){0};
	*error->text = 0;
	if (!characters_check(text, length, source, error))
		return false;
	struct fy_diag_cfg diag_cfg;
	fy_diag_cfg_default(&diag_cfg);
	diag_cfg.fp = NULL;
	diag_cfg.output_fn = say_nothing;
	struct fy_diag *diag = fy_diag_create(&diag_cfg);
	if (!diag)
		memory_lost();
	fy_diag_set_collect_errors(diag, true);
	struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DEFAULT_VERSION_1_2,
		.diag = diag};
	struct fy_parser *parser = fy_parser_create(&cfg);
	if (!parser)
		memory_lost();
	builder b = {.tree = tree, .parser = parser, .diag = diag, .source = source, .error = error,
		.line = 1, .column = 1};
	bool ok = fy_parser_set_string(parser, text, length) == 0 && document(&b);
	fy_parser_destroy(parser);
	fy_diag_destroy(diag);
	if (!ok && !*error->text)
		error_at(error, source, b.line, b.column, "this is not valid YAML");
	if (!ok)
		scene_tree_free(tree);
	return ok;
}

// ---------------------------------------------------------------- looking at nodes

scene_entry *scene_entry_find(const scene_node *map, const char *key)
{
	for (int i = 0; map->kind == SCENE_MAP && i < map->count; i++) {
		if (!strcmp(map->entry[i].key->text, key))
			return &map->entry[i];
	}
	return NULL;
}

scene_node *scene_node_find(const scene_node *map, const char *key)
{
	scene_entry *entry = scene_entry_find(map, key);
	return entry ? entry->value : NULL;
}

bool scene_node_null(const scene_node *node)
{
	static const char *const words[] = {"", "~", "null", "Null", "NULL"};
	for (size_t i = 0; node->kind == SCENE_SCALAR && node->plain && i < sizeof words/sizeof *words; i++) {
		if (!strcmp(node->text, words[i]))
			return true;
	}
	return false;
}

bool scene_text_bare(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-/ ";
	size_t length = strlen(text);
	return length && strspn(text, letters) == length && text[0] != ' ' && text[length - 1] != ' ' &&
		strcmp(text, "-") && strncmp(text, "- ", 2) && strncmp(text, "---", 3) &&
		strncmp(text, "...", 3);
}

bool scene_node_same(const scene_node *a, const scene_node *b)
{
	if (scene_node_null(a) || scene_node_null(b))
		return scene_node_null(a) && scene_node_null(b);
	if (a->kind != b->kind || a->count != b->count)
		return false;
	if (a->kind == SCENE_SCALAR) // a text that needs quotes is a text with or without them
		return !strcmp(a->text, b->text) && (a->plain == b->plain || !scene_text_bare(a->text));
	for (int i = 0; i < a->count; i++) {
		const scene_node *other = a->kind == SCENE_LIST ? b->entry[i].value :
			scene_node_find(b, a->entry[i].key->text);
		if (!other || !scene_node_same(a->entry[i].value, other))
			return false;
	}
	return true;
}
