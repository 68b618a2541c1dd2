/* The doorbell: a CNI plugin that asks the node's agent. It sends its name, the CNI_*, K8S_* and TRACE* variables and
   its input as one frame to a socket, prints the answer and exits with its code. It understands none of it.
   A frame is "CAD1", the size of what follows as four bytes, big end first, and that. A call is the name and each
   variable ended by a zero byte, one more zero byte, and the input. An answer is the exit code in one byte, the size of
   the output in four, the output, and what goes to the error stream.
   The file cadastre.conf beside the program may say, each on a line: the socket, the spool, the milliseconds allowed.
   A DEL that gets no whole answer is spooled and succeeds: the agent does it later. To do it twice is to do it once. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
enum { HEADER = 8, ANSWER_HEADER = 5, FRAME_MAX = 8 << 20, PATH_SIZE = 4096, CONNECT_SECONDS = 2, WAIT_MAX = 1 << 30 };
enum { IO_FAILURE = 5, TRY_AGAIN_LATER = 11, NOT_AVAILABLE = 50 }; /* CNI error codes */

static char call[HEADER + FRAME_MAX + 1], answer[FRAME_MAX]; /* Untouched pages cost nothing. */
static char socket_path[PATH_SIZE] = "/run/cadastre/agent.sock", spool[PATH_SIZE] = "/var/lib/cadastre/spool";
static const char *verb = "";
static size_t call_size = HEADER;
static long milliseconds, deadline;

static long now(void) {
  struct timespec t = {0, 0};
  return clock_gettime(CLOCK_MONOTONIC, &t), t.tv_sec * 1000L + t.tv_nsec / 1000000;
}

static int refuse(int code, const char *what, const char *why) {
  char text[2 * PATH_SIZE] = {0}, *to = text;
  for (; *what && to < text + sizeof text - 2; what++) {
    if (*what == '"' || *what == '\\') *to++ = '\\';
    *to++ = (unsigned char)*what < ' ' ? '?' : *what;
  }
  printf("{\n    \"cniVersion\": \"1.1.0\",\n    \"code\": %d,\n", code);
  printf("    \"msg\": \"%s\",\n    \"details\": \"%s\"\n}", text, why);
  return 1;
}

/* Adds to the call. One that is too large ends up one byte larger than a frame may be. */
static void put(const char *bytes, size_t size) {
  size_t fitting = size < sizeof call - call_size ? size : sizeof call - call_size;
  memcpy(call + call_size, bytes, fitting);
  call_size += fitting;
}

static size_t size_at(const char *bytes) {
  const unsigned char *b = (const unsigned char *)bytes;
  return (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3];
}

static int ready(int fd, short events) {
  struct pollfd p = {fd, events, 0};
  long left, count;
  do count = (left = deadline - now()) > 0 ? poll(&p, 1, (int)left) : 0;
  while (count < 0 && errno == EINTR);
  if (count == 0) errno = ETIMEDOUT;
  return count > 0;
}

/* Reads until the end or until the limit of bytes; how many there are, or -1. */
static ssize_t fetch(int fd, char *to, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t count = ready(fd, POLLIN) ? read(fd, to + done, size - done) : -1;
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) return count < 0 ? -1 : (ssize_t)done;
    if (count > 0) done += (size_t)count;
  }
  return (ssize_t)done;
}

static void read_settings(void) {
  char path[PATH_SIZE], line[32];
  ssize_t size = readlink("/proc/self/exe", path, sizeof path - sizeof "cadastre.conf");
  while (size > 0 && path[size - 1] != '/') size--;
  FILE *file = size > 0 ? fopen(strcpy(path + size, "cadastre.conf") - size, "r") : NULL;
  if (!file) return;
  if (fgets(socket_path, PATH_SIZE, file) && fgets(spool, PATH_SIZE, file) && fgets(line, 32, file)) milliseconds = atol(line);
  socket_path[strcspn(socket_path, "\n")] = spool[strcspn(spool, "\n")] = 0;
  fclose(file);
}

/* Writes the call to a file that is whole or not there, and never in the place of another. */
static int spool_call(void) {
  char draft[PATH_SIZE + 96], final[PATH_SIZE + 96];
  unsigned long dice[2] = {0, 0};
  if (getrandom(dice, sizeof dice, 0) != sizeof dice) return 0;
  snprintf(draft, sizeof draft, "%s/.%ld-%d-%lx-%lx", spool, (long)time(NULL), (int)getpid(), dice[0], dice[1]);
  snprintf(final, sizeof final, "%s/%s.del", spool, draft + strlen(spool) + 2);
  int folder = (umask(077), mkdir(spool, 0700), open(spool, O_RDONLY | O_DIRECTORY));
  FILE *file = fopen(draft, "wx");
  if (!file) return 0;
  int written = fwrite(call, 1, call_size, file) == call_size && fflush(file) == 0 && fsync(fileno(file)) == 0;
  if (fclose(file) == 0 && written && link(draft, final) == 0 && (unlink(draft), fsync(folder)) == 0) return 1;
  return unlink(draft), 0;
}

static int unanswered(const char *why) {
  char what[PATH_SIZE + 64];
  if (strcmp(verb, "DEL") == 0 && spool_call()) return 0;
  snprintf(what, sizeof what, "the agent at %s gives no answer", socket_path);
  return refuse(strcmp(verb, "STATUS") == 0 ? NOT_AVAILABLE : TRY_AGAIN_LATER, what, why);
}

int main(void) {
  if (getenv("CNI_COMMAND")) verb = getenv("CNI_COMMAND");
  milliseconds = strcmp(verb, "DEL") == 0 ? 30000 : 60000;
  read_settings();
  deadline = now() + (milliseconds < WAIT_MAX ? milliseconds : WAIT_MAX);
  put(program_invocation_short_name, strlen(program_invocation_short_name) + 1);
  for (char **e = environ; *e; e++)
    if (!strncmp(*e, "CNI_", 4) || !strncmp(*e, "K8S_", 4) || !strncmp(*e, "TRACE", 5)) put(*e, strlen(*e) + 1);
  put("", 1);
  /* VERSION has no input, and neither has a caller that only asks what this is. */
  ssize_t input = !*verb || !strcmp(verb, "VERSION") ? 0 : fetch(0, call + call_size, sizeof call - call_size);
  if (input < 0) return refuse(IO_FAILURE, "error reading from stdin", strerror(errno));
  call_size += (size_t)input;
  if (call_size == sizeof call) return refuse(IO_FAILURE, "the call is larger than a frame", "more than 8388608 bytes");
  uint32_t size = htonl((uint32_t)(call_size - HEADER));
  memcpy(memcpy(call, "CAD1", 4) + 4, &size, sizeof size);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct timeval patience = {CONNECT_SECONDS, 0}; /* for connect(), where too many wait */
  if (strlen(socket_path) >= sizeof address.sun_path) return unanswered("the path is too long for a socket");
  strcpy(address.sun_path, socket_path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) return unanswered(strerror(errno));
  for (size_t sent = 0; sent < call_size;) {
    ssize_t count = ready(fd, POLLOUT) ? send(fd, call + sent, call_size - sent, MSG_NOSIGNAL | MSG_DONTWAIT) : -1;
    if (count < 0 && errno == EPIPE) break; /* It may have answered without listening to the end. */
    if (count < 0 && errno != EINTR && errno != EAGAIN) return unanswered(strerror(errno));
    if (count > 0) sent += (size_t)count;
  }
  ssize_t got = fetch(fd, answer, HEADER);
  if (got <= 0) return unanswered(got < 0 ? strerror(errno) : "it hung up");
  size_t whole = got == HEADER && !memcmp(answer, "CAD1", 4) ? size_at(answer + 4) : 0;
  if (whole < ANSWER_HEADER || whole > FRAME_MAX) return unanswered("its reply is not an answer");
  if ((got = fetch(fd, answer, whole)) < 0) return unanswered(strerror(errno));
  if ((size_t)got < whole || size_at(answer + 1) > whole - ANSWER_HEADER) return unanswered("its answer is cut short");
  size_t out = size_at(answer + 1), err = whole - ANSWER_HEADER - out;
  if (fwrite(answer + ANSWER_HEADER, 1, out, stdout) < out || fflush(stdout)) return 1;
  return fwrite(answer + ANSWER_HEADER + out, 1, err, stderr) < err ? 1 : (unsigned char)answer[0];
}
