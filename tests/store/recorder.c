/* Preloaded into a process (LD_PRELOAD): writes down, in order, whatever it does to the files below RECORDED_FOLDER.
 *
 * The journal, the file RECORDED_JOURNAL, is a row of records: struct head, then two texts of the lengths it names.
 * Each call and its record happen under one lock, so the order of the records is the order of the calls. Syncs are
 * written down and not done: power.py plays what a disk would have kept, and the run is faster without them.
 * Files are told apart by inode; what a mapped file gets through memory is not seen (power.py compares, and notices).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define LONGEST 4096

struct __attribute__((packed)) head {
    char kind; /* Create, Write, Truncate, Sync, folder Flushed, Unlink, Rename */
    int64_t file, place;
    uint32_t first, second;
};

static pthread_mutex_t in_order = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static size_t folder_length;
static int journal = -1;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("RECORDED_JOURNAL");
    folder = getenv("RECORDED_FOLDER");
    if (!path || !folder)
        return;
    folder_length = strlen(folder);
    int opened = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    journal = fcntl(opened, F_DUPFD_CLOEXEC, 500); /* out of the way of what the process opens */
    syscall(SYS_close, opened);
    if (journal < 0) {
        perror("recorder");
        _exit(70);
    }
}

/* The path below the folder, or NULL when it is elsewhere. */
static const char *below(const char *path)
{
    if (journal < 0 || strncmp(path, folder, folder_length) != 0)
        return NULL;
    if (path[folder_length] == '\0')
        return "";
    return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static const char *path_of(int fd, char *buffer)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = journal < 0 ? -1 : readlink(link, buffer, LONGEST - 1);
    if (length < 0)
        return NULL;
    buffer[length] = '\0';
    return below(buffer);
}

static void record(char kind, int64_t file, int64_t place, const char *first, const void *second, size_t length)
{
    struct head head = {kind, file, place, (uint32_t)strlen(first), (uint32_t)length};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)first, head.first}, {(void *)second, length}};
    if (syscall(SYS_writev, journal, parts, 3) != (ssize_t)(sizeof head + head.first + length)) {
        perror("recorder");
        _exit(70);
    }
}

static int64_t inode(int fd)
{
    struct stat about;
    return fstat(fd, &about) == 0 ? (int64_t)about.st_ino : -1;
}

static int opened(int at, const char *path, int flags, mode_t mode)
{
    char buffer[LONGEST];
    struct stat about;
    if (!(flags & (O_CREAT | O_TRUNC)))
        return syscall(SYS_openat, at, path, flags, mode);
    pthread_mutex_lock(&in_order);
    int is_new = fstatat(at, path, &about, 0) != 0;
    int fd = syscall(SYS_openat, at, path, flags, mode);
    int error = errno;
    const char *name = fd < 0 ? NULL : path_of(fd, buffer);
    if (name && is_new)
        record('C', inode(fd), 0, name, "", 0);
    else if (name && flags & O_TRUNC)
        record('T', inode(fd), 0, name, "", 0);
    pthread_mutex_unlock(&in_order);
    errno = error;
    return fd;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & O_CREAT) { \
        va_list more; \
        va_start(more, flags); \
        mode = va_arg(more, mode_t); \
        va_end(more); \
    }

int open(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags, mode); }

static ssize_t written(int fd, const void *data, size_t length, int64_t place)
{
    char buffer[LONGEST];
    const char *name = path_of(fd, buffer);
    if (!name)
        return place < 0 ? syscall(SYS_write, fd, data, length) : syscall(SYS_pwrite64, fd, data, length, place);
    pthread_mutex_lock(&in_order);
    ssize_t done = place < 0 ? syscall(SYS_write, fd, data, length) : syscall(SYS_pwrite64, fd, data, length, place);
    int error = errno;
    if (done > 0)
        record('W', inode(fd), place < 0 ? lseek(fd, 0, SEEK_CUR) - done : place, name, data, done);
    pthread_mutex_unlock(&in_order);
    errno = error;
    return done;
}

ssize_t write(int fd, const void *data, size_t length) { return written(fd, data, length, -1); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t place) { return written(fd, data, length, place); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t place) { return written(fd, data, length, place); }

int ftruncate(int fd, off_t size)
{
    char buffer[LONGEST];
    pthread_mutex_lock(&in_order);
    int result = syscall(SYS_ftruncate, fd, size), error = errno;
    const char *name = result ? NULL : path_of(fd, buffer);
    if (name)
        record('T', inode(fd), size, name, "", 0);
    pthread_mutex_unlock(&in_order);
    errno = error;
    return result;
}

int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

static int synced(int fd, long call)
{
    char buffer[LONGEST];
    struct stat about;
    const char *name = path_of(fd, buffer);
    if (!name || fstat(fd, &about) != 0)
        return syscall(call, fd);
    pthread_mutex_lock(&in_order);
    record(S_ISDIR(about.st_mode) ? 'F' : 'S', (int64_t)about.st_ino, 0, name, "", 0);
    pthread_mutex_unlock(&in_order);
    return 0;
}

int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

int unlink(const char *path)
{
    pthread_mutex_lock(&in_order);
    int result = syscall(SYS_unlinkat, AT_FDCWD, path, 0), error = errno;
    const char *name = result ? NULL : below(path);
    if (name)
        record('U', 0, 0, name, "", 0);
    pthread_mutex_unlock(&in_order);
    errno = error;
    return result;
}

int unlinkat(int at, const char *path, int flags)
{
    char buffer[2 * LONGEST];
    if (at == AT_FDCWD && flags == 0)
        return unlink(path);
    pthread_mutex_lock(&in_order);
    const char *parent = flags & AT_REMOVEDIR ? NULL : path_of(at, buffer);
    int result = syscall(SYS_unlinkat, at, path, flags), error = errno;
    if (parent && result == 0) {
        char name[2 * LONGEST];
        snprintf(name, sizeof name, "%s%s%s", parent, *parent ? "/" : "", path);
        record('U', 0, 0, name, "", 0);
    }
    pthread_mutex_unlock(&in_order);
    errno = error;
    return result;
}

int rename(const char *from, const char *to)
{
    pthread_mutex_lock(&in_order);
    int result = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0), error = errno;
    const char *old = result ? NULL : below(from), *now = result ? NULL : below(to);
    if (old && now)
        record('R', 0, 0, old, now, strlen(now));
    pthread_mutex_unlock(&in_order);
    errno = error;
    return result;
}
