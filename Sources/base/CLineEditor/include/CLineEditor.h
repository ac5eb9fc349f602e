#pragma once
#include <stddef.h>

/* A line that is typed on a terminal, with history and completion: libedit, editline(3). */

/* What the words of a line are completed to, whatever the case of their letters; the first `tables` of them are tables, and alone
   fit behind FROM, JOIN and .schema. The list stays the caller's, and must stay. */
void line_editor_begin(const char *const *words, size_t count, size_t tables);
/* One line without its end, to be freed; NULL at the end of the input. */
char *line_editor_read(const char *prompt);
/* Reads lines that were typed before, and keeps those of now: at most `most`, in a file for its owner alone. */
void line_editor_load(const char *path);
void line_editor_keep(const char *line, const char *path, int most);
