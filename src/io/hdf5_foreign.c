// SPDX-License-Identifier: MIT
// HDF5 files are programs in disguise: they may name other files to read, plugins to load and sizes without limit. All
// of that is refused by looking at the description of each dataset, which HDF5 has read when it opens it.
#include "io/hdf5_foreign.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The most that deflate can make of a byte, and the least that any file may claim.
enum { DEFLATE_MOST = 1032, DIMENSIONS_MOST = 8 };
// FCLIB's files have some thirty objects, three groups deep. HDF5 takes the square of the depth for each of them.
enum { DEPTH_MOST = 32, OBJECTS_MOST = 100000 };
static const double least_claim = 1 << 20;

typedef struct visit {
	const char *path;
	double bytes; // of the file
	bool contents;
	talus_error *error;
	size_t objects; // so far
} visit;

static bool refuse(const visit *v, const char *name, const char *trouble)
{
	return error_at(v->error, v->path, 0, 0, "/%.200s %s", name, trouble);
}

// ---------------------------------------------------------------- one dataset

static bool is_plain(hid_t type)
{
	const hid_t plain[] = {
		H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F32BE, H5T_IEEE_F64BE, H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_I32LE,
		H5T_STD_I64LE, H5T_STD_I8BE, H5T_STD_I16BE, H5T_STD_I32BE, H5T_STD_I64BE, H5T_STD_U8LE, H5T_STD_U16LE,
		H5T_STD_U32LE, H5T_STD_U64LE, H5T_STD_U8BE, H5T_STD_U16BE, H5T_STD_U32BE, H5T_STD_U64BE,
	};
	for (size_t i = 0; i < sizeof plain/sizeof plain[0]; i++)
		if (H5Tequal(type, plain[i]) > 0)
			return true;
	return false;
}

static bool is_number(hid_t type)
{
	H5T_class_t class = H5Tget_class(type);
	return class == H5T_INTEGER || class == H5T_FLOAT;
}

// How many bytes one in the file can stand for; 0 if there is a filter that only a plugin, or a rare library, knows.
static double filters_ratio(hid_t creation)
{
	double ratio = 1;
	int filters = H5Pget_nfilters(creation);
	for (int i = 0; i < filters; i++) {
		size_t values = 0;
		unsigned flags;
		H5Z_filter_t filter = H5Pget_filter2(creation, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
		if (filter == H5Z_FILTER_DEFLATE)
			ratio = DEFLATE_MOST;
		else if (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
			return 0;
	}
	return filters < 0 ? 0 : ratio;
}

static double product(const hsize_t *size, int count, double start)
{
	for (int k = 0; k < count; k++)
		start *= (double)size[k];
	return start;
}

// Both what the dataset claims to hold and what HDF5 takes for one piece of it.
static bool size_check(const visit *v, const char *name, hid_t set, hid_t type, hid_t creation)
{
	hsize_t size[DIMENSIONS_MOST] = {0};
	hid_t space = H5Dget_space(set);
	int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
	bool known = rank >= 0 && rank <= DIMENSIONS_MOST && H5Sget_simple_extent_dims(space, size, NULL) == rank;
	if (space >= 0)
		H5Sclose(space);
	double ratio = filters_ratio(creation), width = (double)H5Tget_size(type);
	if (!known || width <= 0)
		return refuse(v, name, "cannot be read");
	if (ratio == 0)
		return refuse(v, name, "is compressed in a way that Talus does not read");
	double most = ratio*(v->bytes > least_claim ? v->bytes : least_claim);
	if (product(size, rank, width) > ratio*v->bytes)
		return refuse(v, name, "is larger than the whole file: damaged");
	if (H5Pget_layout(creation) != H5D_CHUNKED)
		return true;
	int chunk_rank = H5Pget_chunk(creation, DIMENSIONS_MOST, size);
	return (chunk_rank == rank && product(size, rank, width) <= most) || refuse(v, name, "is in pieces larger than the file: damaged");
}

static bool place_check(const visit *v, const char *name, hid_t creation)
{
	H5D_layout_t layout = H5Pget_layout(creation);
	if (layout == H5D_VIRTUAL || H5Pget_external_count(creation) != 0)
		return refuse(v, name, "lies in another file, which is not read: copy it into this one (h5repack does)");
	return (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED) || refuse(v, name, "cannot be read");
}

static bool contents_try(const visit *v, const char *name, hid_t set, hid_t type)
{
	hid_t space = H5Dget_space(set);
	hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
	if (space >= 0)
		H5Sclose(space);
	bool real = H5Tget_class(type) == H5T_FLOAT;
	void *room = count >= 0 ? malloc((size_t)count*8 + 1) : NULL;
	bool ok = room && H5Dread(set, real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_LLONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, room) >= 0;
	free(room);
	return ok || refuse(v, name, "cannot be read: damaged");
}

static bool set_check(const visit *v, const char *name, hid_t set)
{
	hid_t creation = H5Dget_create_plist(set), type = H5Dget_type(set);
	bool ok = creation >= 0 && type >= 0;
	if (!ok)
		refuse(v, name, "cannot be read: damaged");
	ok = ok && place_check(v, name, creation) && size_check(v, name, set, type, creation);
	if (ok && is_number(type) && !is_plain(type))
		ok = refuse(v, name, "holds numbers of an unusual kind, which is not read");
	ok = ok && (!v->contents || !is_number(type) || contents_try(v, name, set, type));
	if (type >= 0)
		H5Tclose(type);
	if (creation >= 0)
		H5Pclose(creation);
	return ok;
}

// ---------------------------------------------------------------- all of them

static herr_t link_check(hid_t group, const char *name, const H5L_info_t *info, void *data)
{
	visit *v = data;
	int depth = 1;
	for (const char *at = strchr(name, '/'); at; at = strchr(at + 1, '/'))
		depth++;
	if (depth > DEPTH_MOST || ++v->objects > OBJECTS_MOST)
		return refuse(v, name, depth > DEPTH_MOST ? "lies deeper in groups than any contact problem does"
		                                          : "is one object too many: no contact problem has a hundred thousand") - 1;
	if (info->type != H5L_TYPE_HARD && info->type != H5L_TYPE_SOFT)
		return refuse(v, name, "is a link to another file, which is not followed") - 1;
	if (info->type == H5L_TYPE_SOFT)
		return 0; // what it leads to has a hard link of its own
	hid_t object = H5Oopen(group, name, H5P_DEFAULT);
	if (object < 0)
		return refuse(v, name, "cannot be opened: damaged") - 1;
	bool ok = H5Iget_type(object) != H5I_DATASET || set_check(v, name, object);
	H5Oclose(object);
	return ok ? 0 : -1;
}

static double bytes_of(hid_t file)
{
	hsize_t bytes = 0;
	return H5Fget_filesize(file, &bytes) >= 0 ? (double)bytes : 0;
}

static bool walk(hid_t file, const char *path, bool contents, talus_error *error)
{
	visit v = {.path = path, .bytes = bytes_of(file), .contents = contents, .error = error};
	memset(error, 0, sizeof *error);
	H5PLset_loading_state(0); // no plugin is ever wanted
	if (H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, link_check, &v) >= 0)
		return true;
	return error->text[0] ? false : error_at(error, path, 0, 0, "cannot be read: damaged");
}

bool hdf_foreign_check(hid_t file, const char *path, talus_error *error)
{
	return walk(file, path, false, error);
}

bool hdf_foreign_try(const char *path, bool contents, talus_error *error)
{
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	hid_t file = hdf_file_open(path, H5F_ACC_RDONLY);
	bool ok = file >= 0;
	if (!ok && quiet.number)
		error_at(error, path, 0, 0, "cannot be read: %s", strerror(quiet.number));
	else if (!ok)
		error_at(error, path, 0, 0, "cannot be read: damaged, or not an HDF5 file (%s)", quiet.text);
	else
		ok = walk(file, path, contents, error);
	if (file >= 0)
		H5Fclose(file);
	hdf_quiet_end(&quiet);
	return ok;
}
