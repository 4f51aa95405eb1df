// SPDX-License-Identifier: MIT
// A driver of HDF5's virtual file layer. In a file that was there before, what lies behind its end is written at once, for
// nothing points at it yet. Changes of what was there are kept in memory, page by page, until HDF5 closes the file: only
// then are they made, all in a row, after the pages of the last checkpoint are safe in the journal. So
//   - a run killed between two frames, or while HDF5 is at work on one, leaves a file that is whole and closed;
//   - a run killed while the pages are written leaves each block of metadata old or new, as blocks do not cross pages,
//     and old and new ones fit together: the newest frame may be there in part, all others are;
//   - whatever a loss of power leaves, the journal brings the checkpoint's file back.
// The page of the superblock is the first to be written: it knows how far the file reaches.
#include "io/hdf5_disk.h"

#include "io/files.h"
#include "io/hdf5_mark.h"
#include "io/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = JOURNAL_PAGE };

typedef struct disk_page {
	uint64_t number;
	unsigned char *bytes;
} disk_page;

typedef struct disk {
	H5FD_t head; // HDF5's own, comes first
	int file;
	bool writes, discard;
	uint64_t size;    // of the file
	uint64_t shown;   // what HDF5 believes it to be, if that is more
	uint64_t settled; // its size when it was opened: below, changes wait
	haddr_t end;      // of what HDF5 has allocated
	size_t count, room;
	disk_page *page; // that differ from what is on the disk, or may, by number
	char path[TALUS_PATH_MAX];
} disk;

// HDF5 keeps sentences, and hdf_error finds the number in them.
static herr_t failed(const char *doing)
{
	int reason = errno;
	H5Epush2(H5E_DEFAULT, __FILE__, doing, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_WRITEERROR, "%s, errno = %d", doing, reason);
	return -1;
}

// ---------------------------------------------------------------- pages in memory

// Where a page is or would be in the list.
static size_t page_place(const disk *d, uint64_t number)
{
	size_t low = 0, high = d->count;
	while (low < high) {
		size_t middle = (low + high)/2;
		if (d->page[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// As on the disk; zeros behind its end.
static bool page_read(const disk *d, uint64_t number, unsigned char bytes[PAGE])
{
	uint64_t start = number*PAGE;
	size_t there = start >= d->size ? 0 : d->size - start < PAGE ? (size_t)(d->size - start) : PAGE;
	memset(bytes + there, 0, PAGE - there);
	return !there || file_get(d->file, bytes, there, (off_t)start);
}

static disk_page *page_insert(disk *d, size_t place, uint64_t number)
{
	if (d->count == d->room) {
		size_t room = d->room ? 2*d->room : 64;
		disk_page *more = realloc(d->page, room*sizeof *more);
		if (!more)
			return NULL;
		d->page = more;
		d->room = room;
	}
	unsigned char *bytes = malloc(PAGE);
	if (!bytes)
		return NULL;
	memmove(d->page + place + 1, d->page + place, (d->count - place)*sizeof *d->page);
	d->page[place] = (disk_page){number, bytes};
	d->count++;
	return &d->page[place];
}

// The page in memory; a new one is as on the disk, unless all of it will be written anyway.
static disk_page *page_get(disk *d, uint64_t number, bool whole)
{
	size_t place = page_place(d, number);
	if (place < d->count && d->page[place].number == number)
		return &d->page[place];
	unsigned char bytes[PAGE];
	if (!whole && !page_read(d, number, bytes))
		return NULL;
	disk_page *page = page_insert(d, place, number);
	if (page && !whole)
		memcpy(page->bytes, bytes, PAGE);
	return page;
}

static void pages_drop(disk *d)
{
	for (size_t i = 0; i < d->count; i++)
		free(d->page[i].bytes);
	free(d->page);
	d->page = NULL;
	d->count = d->room = 0;
}

// ---------------------------------------------------------------- what HDF5 calls

static herr_t disk_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t from, size_t size, void *into)
{
	(void)type, (void)transfer;
	disk *d = (disk *)file;
	size_t there = from >= d->size ? 0 : d->size - from < size ? (size_t)(d->size - from) : size;
	memset((char *)into + there, 0, size - there);
	if (there && !file_get(d->file, into, there, (off_t)from))
		return failed("read");
	for (size_t i = page_place(d, from/PAGE); i < d->count && d->page[i].number*PAGE < from + size; i++) {
		uint64_t start = d->page[i].number*PAGE, first = start > from ? start : from;
		uint64_t last = start + PAGE < from + size ? start + PAGE : from + size;
		memcpy((char *)into + (first - from), d->page[i].bytes + (first - start), (size_t)(last - first));
	}
	return 0;
}

static bool keep(disk *d, uint64_t to, size_t size, const unsigned char *data)
{
	while (size) {
		size_t inside = (size_t)(to%PAGE), part = PAGE - inside < size ? PAGE - inside : size;
		disk_page *page = page_get(d, to/PAGE, part == PAGE);
		if (!page)
			return false;
		memcpy(page->bytes + inside, data, part);
		to += part;
		data += part;
		size -= part;
	}
	return true;
}

static herr_t disk_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t to, size_t size, const void *data)
{
	(void)type, (void)transfer;
	disk *d = (disk *)file;
	const unsigned char *bytes = data;
	if (d->discard)
		return 0;
	uint64_t border = (d->settled + PAGE - 1)/PAGE*PAGE; // pages are either kept or written, as a whole
	size_t below = to >= border ? 0 : border - to < size ? (size_t)(border - to) : size;
	if (!keep(d, to, below, bytes))
		return failed("write");
	if (size > below && !file_put(d->file, bytes + below, size - below, (off_t)(to + below)))
		return failed("write");
	if (size > below && to + size > d->size)
		d->size = to + size;
	return 0;
}

// Room is made at once, and taken away when all is done.
static herr_t disk_truncate(H5FD_t *file, hid_t transfer, hbool_t closing)
{
	(void)transfer, (void)closing;
	disk *d = (disk *)file;
	if (d->discard || !d->writes || d->end <= d->size)
		return 0;
	if (ftruncate(d->file, (off_t)d->end) != 0)
		return failed("write");
	d->size = d->end;
	return 0;
}

// ---------------------------------------------------------------- making the changes

// Forgets pages that have not changed, and copies those that the checkpoint knew into the journal.
static bool pages_secure(disk *d, journal *j)
{
	for (size_t i = 0; i < d->count; i++) {
		unsigned char was[PAGE];
		disk_page *page = &d->page[i];
		if (!page_read(d, page->number, was))
			return false;
		if (memcmp(was, page->bytes, PAGE) == 0) {
			free(page->bytes);
			page->bytes = NULL;
		} else if (j->file >= 0 && page->number*PAGE < j->length && !journal_has(j, page->number) &&
		           !journal_add(j, page->number, was)) {
			return false;
		}
	}
	return j->file < 0 || journal_sync(j, d->path);
}

static bool pages_put(disk *d)
{
	for (size_t i = 0; i < d->count; i++) {
		uint64_t start = d->page[i].number*PAGE, size = d->end > start ? d->end - start : 0;
		if (d->page[i].bytes && !file_put(d->file, d->page[i].bytes, size < PAGE ? (size_t)size : PAGE, (off_t)start))
			return false;
	}
	return true;
}

// The file is never shorter than the checkpoint knew it.
static bool end_cut(disk *d, const journal *j)
{
	uint64_t least = j->file >= 0 && j->length > d->end ? j->length : d->end;
	return d->size <= least || ftruncate(d->file, (off_t)least) == 0;
}

// What was added behind the end of a file that was there before goes away again.
static bool end_restore(const disk *d)
{
	return !d->settled || ftruncate(d->file, (off_t)d->settled) == 0;
}

static bool changes_make(disk *d)
{
	journal j = {.file = -1};
	if (d->settled && !journal_open(&j, d->path, true) && errno != ENOENT)
		return false;
	bool secure = pages_secure(d, &j), ok = secure && pages_put(d) && end_cut(d, &j);
	int reason = errno;
	journal_close(&j);
	if (!secure)
		end_restore(d);
	errno = reason;
	return ok;
}

static herr_t disk_close(H5FD_t *file)
{
	disk *d = (disk *)file;
	bool ok = !d->writes || (d->discard ? end_restore(d) : changes_make(d));
	if (!ok)
		failed("write");
	if (close(d->file) != 0 && ok && d->writes)
		ok = failed("write") == 0;
	pages_drop(d);
	free(d);
	return ok ? 0 : -1;
}

// ---------------------------------------------------------------- opening

// The pages of the checkpoint, over what is there now.
static bool roll_back(disk *d)
{
	journal j;
	unsigned char was[PAGE];
	uint64_t number;
	if (!journal_open(&j, d->path, false))
		return false;
	bool ok = true;
	for (size_t i = 0; ok && journal_get(&j, i, &number, was); i++) {
		disk_page *page = page_get(d, number, true);
		ok = page != NULL;
		if (ok)
			memcpy(page->bytes, was, PAGE);
	}
	d->size = d->size < j.length ? d->size : j.length;
	journal_close(&j);
	return ok;
}

// A writer of an earlier version that was killed has left a mark. It is taken off in memory: readers change nothing.
static bool unmark(disk *d)
{
	unsigned char bytes[PAGE];
	if (!page_read(d, 0, bytes))
		return false;
	uint64_t length = hdf_superblock_unmark(bytes, d->size);
	if (!length)
		return true;
	disk_page *page = page_get(d, 0, true);
	if (!page)
		return false;
	memcpy(page->bytes, bytes, PAGE);
	d->shown = length;
	return true;
}

static int file_for(const char *name, unsigned flags)
{
	if (flags & (H5F_ACC_CREAT | H5F_ACC_TRUNC | H5F_ACC_EXCL))
		return file_make(name);
	return flags & H5F_ACC_RDWR ? file_own_open(name, O_RDWR) : file_read_open(name);
}

static H5FD_t *disk_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
	(void)most;
	const disk_view *view = H5Pget_driver_info(access);
	struct stat status;
	disk *d = calloc(1, sizeof *d);
	if (!d || snprintf(d->path, sizeof d->path, "%s", name) >= (int)sizeof d->path) {
		free(d);
		failed("open");
		return NULL;
	}
	d->file = file_for(name, flags);
	d->writes = flags & H5F_ACC_RDWR;
	bool ok = d->file >= 0 && fstat(d->file, &status) == 0;
	d->size = d->settled = ok ? (uint64_t)status.st_size : 0;
	ok = ok && (d->writes || ((!view || *view == DISK_AS_IS || roll_back(d)) && unmark(d)));
	if (ok)
		return &d->head;
	failed("open");
	if (d->file >= 0)
		close(d->file);
	pages_drop(d);
	free(d);
	return NULL;
}

static herr_t disk_query(const H5FD_t *file, unsigned long *flags)
{
	(void)file;
	*flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
	         H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
	return 0;
}

static haddr_t disk_end(const H5FD_t *file, H5FD_mem_t type)
{
	(void)type;
	return ((const disk *)file)->end;
}

static herr_t disk_end_set(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
	(void)type;
	((disk *)file)->end = end;
	return 0;
}

static haddr_t disk_size(const H5FD_t *file, H5FD_mem_t type)
{
	(void)type;
	const disk *d = (const disk *)file;
	return d->size > d->shown ? d->size : d->shown;
}

static herr_t disk_handle(H5FD_t *file, hid_t access, void **handle)
{
	(void)access;
	*handle = file;
	return 0;
}

static const H5FD_class_t driver = {
#ifdef H5FD_CLASS_VERSION
	.version = H5FD_CLASS_VERSION,
	.value = (H5FD_class_value_t)510, // of those that the HDF Group leaves to everybody
#endif
	.name = "talus",
	.maxaddr = INT64_MAX,
	.fc_degree = H5F_CLOSE_STRONG,
	.fapl_size = sizeof(disk_view),
	.open = disk_open,
	.close = disk_close,
	.query = disk_query,
	.get_eoa = disk_end,
	.set_eoa = disk_end_set,
	.get_eof = disk_size,
	.get_handle = disk_handle,
	.read = disk_read,
	.write = disk_write,
	.truncate = disk_truncate,
	.fl_map = H5FD_FLMAP_DICHOTOMY,
};

// HDF5 counts who uses it: it is gone when the last file is closed.
bool disk_set(hid_t access, disk_view view)
{
	hid_t id = H5FDregister(&driver);
	if (id < 0)
		return false;
	bool ok = H5Pset_driver(access, id, &view) >= 0;
	return H5FDunregister(id) >= 0 && ok;
}

void disk_discard(hid_t file)
{
	void *handle = NULL;
	if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle)
		((disk *)handle)->discard = true;
}
