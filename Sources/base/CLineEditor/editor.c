#include "CLineEditor.h"
#include <editline/readline.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const *all;
static size_t all_count;
static size_t all_tables;
/* How many of the words fit where the cursor is. */
static size_t fitting;

/* The words that begin so, one at each call. */
static char *next_word(const char *text, int state) {
    static size_t at;
    if (!state) at = 0;
    while (at < fitting) {
        const char *word = all[at++];
        if (!strncasecmp(word, text, strlen(text))) return strdup(word);
    }
    return NULL;
}

/* Whether the word before the one that begins at `start` is one that a table's name follows. */
static int wants_table(int start) {
    static const char *const before[] = {"from", "join", ".schema"};
    int end = start;
    while (end > 0 && rl_line_buffer[end - 1] == ' ') end--;
    int begin = end;
    while (begin > 0 && rl_line_buffer[begin - 1] != ' ') begin--;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        size_t length = strlen(before[i]);
        if ((size_t)(end - begin) == length && !strncasecmp(rl_line_buffer + begin, before[i], length)) return 1;
    }
    return 0;
}

static char **complete(const char *text, int start, int end) {
    (void)end;
    fitting = wants_table(start) ? all_tables : all_count;
    rl_attempted_completion_over = 1;
    return rl_completion_matches(text, next_word);
}

void line_editor_begin(const char *const *words, size_t count, size_t tables) {
    all = words;
    all_count = count;
    all_tables = tables;
    rl_readline_name = "escrow";
    rl_attempted_completion_function = complete;
    using_history();
}

char *line_editor_read(const char *prompt) { return readline(prompt); }

void line_editor_load(const char *path) { read_history(path); }

void line_editor_keep(const char *line, const char *path, int most) {
    add_history(line);
    stifle_history(most);
    /* libedit would make it readable for others. */
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return;
    int is_ours = !fchmod(file, 0600);
    close(file);
    if (is_ours) write_history(path);
}
