#include "CLineEditor.h"
#include <editline/readline.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const *all;
static size_t all_count;

/* The words that begin so, one at each call. */
static char *next_word(const char *text, int state) {
    static size_t at;
    if (!state) at = 0;
    while (at < all_count) {
        const char *word = all[at++];
        if (!strncasecmp(word, text, strlen(text))) return strdup(word);
    }
    return NULL;
}

static char **complete(const char *text, int start, int end) {
    (void)start, (void)end;
    rl_attempted_completion_over = 1;
    return rl_completion_matches(text, next_word);
}

void line_editor_begin(const char *const *words, size_t count) {
    all = words;
    all_count = count;
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
