/// The pages of `escrow explain` for the codes E05xx.
extension ErrorPage {
    static let sandboxPages = #"""
        ## E0509 machine code in a script
        A plugin that is a script has a file of machine code: the script itself, or one that would lie beside it. Who reads a
        script knows what it does; machine code under its name nobody reads.
        Triggered by: an ELF file named `main.py`; a shared library `helper.so` in the script's folder.
        Do: take the file out. Machine code is a plugin of its own: a static executable, profile `strict`.

        ## E0510 a system call that is not allowed
        The plugin made a call that the sandbox does not run, and the kernel could not say which: this host is itself watched by
        a seccomp listener, as in some containers. The plugin was killed and nothing was returned.
        Triggered by: any call outside the list, for example opening a socket, on such a host.
        Do: run the host outside the container to learn the call, then tell the plugin's publisher.

        ## E0511 a system call that is not allowed, by name
        The plugin made the named call. It was not run; the plugin was killed and its output dropped.
        Triggered by: `socket(AF_INET, SOCK_STREAM)`, `openat(AT_FDCWD, O_RDONLY)` on a file such as /etc/passwd, `open` for
        writing, `fork`, `execve`. The path is not shown, since it may hold data. A script may open its own files under /plugin
        and its interpreter's libraries; relative paths begin at /.
        In Python also by honest calls that start a program, look for a folder to write in, or ask who the user is:
        `subprocess`, `asyncio`, `platform.platform()`, `tempfile`, `pwd`, `getpass.getuser()`, `uuid.uuid1()`. docs/spec/sandbox.md,
        section 4, lists them and what to use instead.
        Do: authors remove the call (all that a plugin may work on comes with its rows); `escrow plugin test --trace` shows all of
        a plugin's calls in one go. Owners tell the publisher and do not trust the plugin.

        ## E0512 a program that is not sealed
        The descriptor given to the sandbox is not a memfd with the seals SHRINK, GROW and WRITE: what runs could differ from
        what was verified. This is a fault in the calling code, not in the plugin.
        Do: copy the bytes into a `SealedFile` while hashing them.

        ## E0513 an executable that strict cannot run
        It is not ELF, is for another machine, is dynamic, or has memory that is writable and executable.
        Triggered by: `gcc plugin.c` without `-static`.
        Do: link with `-static` (C) or `-static-executable` (Swift); look with `readelf -lW FILE`.

        ## E0514 an unknown interpreter
        A manifest names an interpreter by one word of a closed list: awk, jq, python3, sh. Paths are not taken.
        Do: use one of these words.

        ## E0515 an interpreter that cannot be used
        It is not installed, is no program of this machine, or somebody other than root could have changed it.
        Triggered by: python3 missing; `/usr/bin/jq` owned by a user.
        Do: install the distribution's own package.

        ## E0516 script files that do not fit
        A file's name is not one plain component of at most 64 characters, a file is above 64 MiB, a name comes twice, or the
        main file is not among them.
        Do: correct the list of files in the manifest.

        ## E0517 arguments that cannot be passed
        More than 64 arguments, more than 16384 bytes together, or a NUL in one.
        Do: shorten them; pass data as rows, not as arguments.

        ## E0518 a plugin that does not end
        The plugin was killed, and its process is still there fifteen seconds later: another program traces it and holds it at its
        end, its control group is frozen, or it waits inside the kernel. The run is over and nothing was returned. The process has
        what it was given and executes nothing more of its own; it dies when it is let go. While eight of them are there, a host
        starts no other plugin.
        Triggered by: `strace` or a debugger attached to a plugin; a frozen container; a broken network disk.
        Do: `escrow doctor` names the process and what holds it; end the tracer, or thaw the group.

        ## E0519 a limit out of range
        A limit is zero, negative, not a number, or above the maximum that any plugin may ask for.
        Do: choose a value in the range that the message names.

        ## E0520 the plugin wrote a line that is too long
        A line from a plugin has at most 65 536 bytes (4 096 for progress, log and hello; 256 for an asset's handle or an endpoint's
        name). Only a line that begins with `{"result":` may be longer, up to the declared `result.maxBytes`.
        Example: a plugin that prints its rows to stdout without a line end.
        What to do: print debugging text to stderr. Everybody else: report it to the plugin's publisher.

        ## E0521 the plugin wrote something that is not a protocol line
        stdout belongs to the protocol: one JSON object a line, UTF-8, strict JSON (no name twice, no `NaN`, no `-0`, at most 16
        levels deep).
        Example: a leftover `print("here")` in a plugin.
        What to do: print to stderr; the kits for Python and Swift do so by themselves.

        ## E0522 the plugin wrote a message that the protocol does not know
        The line is a JSON object, but none of `ask`, `progress`, `log`, `hello`, `result`, `refuse`, or it has a member too many, one
        too few, or one of the wrong type. Unknown members are refused: a plugin is not trusted.
        Example: `{"ask":"rows"}` without `max`; `{"refuse":{"code":"no-luck","message":"…"}}`, whose code is not in the list.
        What to do: compare the line with docs/spec/protocol.md, section 4.

        ## E0523 the plugin's result is not what its manifest declares
        The manifest declares a record, a table, a text or bytes with named fields, and the result has another shape: another kind,
        a field too many or too few, a text where a number was declared, output of a filter that cannot be read.
        Example: `{"result":[1,2]}` where a record is declared.
        What to do: plugin authors: compare `result` in plugin.json with what `compute` returns; `escrow plugin test` shows both.

        ## E0524 the plugin's result is out of the bounds that its manifest declares
        The result, a list in it, a text or a number is larger than the manifest allows. Nothing of it was returned.
        Example: a result of 300 bytes where `maxBytes` is 256.
        What to do: plugin authors: return less, or declare more under `result`; the person will be asked again.

        ## E0525 the plugin ended without a result
        Its output ended before one whole result or refusal had come: within a line, within announced bytes, or with nothing said.
        Example: a plugin that returns from `main` after reading its rows.
        What to do: plugin authors: look at the log (stderr) of `escrow plugin test`; an exception may have ended it.

        ## E0526 the plugin asked for something that this run does not offer
        Rows, assets and requests are offered only if the manifest's `protocol.features` names them.
        Example: `{"ask":"asset","id":"…"}` from a plugin whose manifest says `"features": ["rows"]`.
        What to do: plugin authors: add the feature to plugin.json; people will see it.

        ## E0527 the plugin asked for rows in a way that cannot be answered
        For another number than 1 to 2 147 483 647, in another form than before (the first ask decides between Arrow and JSON), or
        after the answer that said `"more":false`.
        Example: `{"ask":"rows","max":0}`.
        What to do: plugin authors: stop asking when `more` is false.

        ## E0528 the plugin spoke before it was answered
        After an ask the plugin may write nothing until the answer has come: one ask at a time, so that neither side can block.
        And it has no result before it has read the host's first line, which tells what is asked.
        Example: two asks in one write.
        What to do: plugin authors: read the whole answer, announced bytes included, before writing again.

        ## E0529 the plugin wrote more after its result
        A run has exactly one result or refusal, and it is the last thing on stdout.
        Example: a second `{"result":…}`, or a line end too many after announced bytes.
        What to do: plugin authors: return from `compute` once; exit with status 0.

        ## E0530 the wall time limit
        The plugin ran longer than `wallSeconds`, sleeping and waiting included. It was killed; nothing was returned.
        Triggered by: a plugin that waits for input that never comes.
        Do: ask for fewer rows, or raise `wallSeconds` where the help says: in the manifest, or in `config.json` where the
        individual's own cap holds.

        ## E0531 the processor time limit
        All threads together used more than `cpuSeconds`.
        Do: ask for fewer rows, or raise `cpuSeconds`.

        ## E0532 the memory limit
        The plugin needed more than `memoryMiB` of address space or, where control groups count it, of memory. Without control
        groups this is inferred from how near it was when it failed.
        Each thread reserves the address space of its stack, 8 MiB unless the program asks for less; in Python
        `threading.stack_size(262144)` before the first one.
        Do: stream rows instead of keeping them, or raise `memoryMiB`.

        ## E0533 the output limit
        More than `outputMiB` were written to stdout, asks included; nothing was returned.
        Do: return an aggregate, or raise `outputMiB`.

        ## E0534 the log limit
        More than `logKiB` were written to stderr.
        Do: log less; the log never leaves the host.

        ## E0535 the thread limit
        The plugin wanted one thread more than `processes`.
        Do: start fewer threads, or raise `processes`.

        ## E0536 the limit of assets
        The plugin asked for one asset more than `assets`.
        Do: let the query yield fewer rows, or raise `assets`.

        ## E0537 the limit of rows
        The query has more rows than the run may have: `accepts.rows.max` of the manifest, or `rows` of the individual's caps.
        Nothing is cut off silently, so nothing was returned. Or the cap is below the least number of rows that the plugin
        computes over; then it was not started.
        Do: narrow the query with WHERE or LIMIT, or raise the limit.

        ## E0538 the limit of bytes of rows
        The rows have more than `dataMiB` together. Or the rows of the plugin's minimum (`accepts.rows.min`) have more than 64 MiB:
        they are held until they are counted, before the plugin starts.
        Do: select fewer columns, narrow the query, or raise `dataMiB`.

        ## E0539 the limit of bytes of assets
        The files that the plugin opened have more than `assetMiB` together.
        Do: let the query yield fewer rows, or raise `assetMiB`.

        ## E0540 a plugin that failed
        It ended by itself with an exit code other than 0; nothing was returned.
        Triggered by: `exit(7)`, an uncaught exception in a script.
        Do: authors read its log, which `escrow plugin test` shows. Owners see it with `escrow run --log`, and tell the publisher.

        ## E0541 a plugin that crashed
        A signal ended it: a bad memory access, an abort, a trap such as Swift's `fatalError`. Memory that was refused
        and not looked at ends like that too; and where your own cap on memory is far below what the plugin asks for, it may crash
        before its first instruction.
        Do: authors read its log, which `escrow plugin test` shows. Owners see it with `escrow run --log`, raise a low
        `memoryMiB` in config.json, and tell the publisher.

        ## E0542 a plugin that the host stopped
        It broke the protocol, did not end after its result, used up a budget, or the run was cancelled.
        Do: the message names the reason.

        ## E0543 the run ended without a result
        What an app is told of every failure after data was read. What exactly went wrong may depend on the data, so it is for the
        individual: `escrow ledger show last`.

        ## E0544 letters in a result that cannot be seen

        A text of the result holds what nobody who reads it would notice: a joiner of no width, a mark that turns the
        direction of writing, a control character, a blank sign. Such letters can carry anything past the person who looks,
        so nothing was returned. Plugin authors: leave them out of what compute() returns. A field that needs them, such as
        names with joined emoji or a script that writes with joiners, declares `"invisible": true` under `result`, and the
        sheet says so.

        ## E0545 the plugin refused: not enough data
        The plugin found too few rows for an answer that means anything. Its own words are in the run's log, on this machine only.
        Example: an average over a query that matched nothing.
        What to do: widen the query or the parameters.

        ## E0546 the plugin refused: a parameter does not suit it
        A parameter is within its declared bounds, but not one that the plugin can work with together with the rest.
        Example: a first day after the last.
        What to do: look at `escrow plugin show PLUGIN` for the parameters, and try another value.

        ## E0547 the plugin refused: it cannot work with this data
        Rows or assets are of a kind that the plugin does not know.
        Example: a plugin for JPEG that got nothing but HEIC.
        What to do: choose other rows with `--sql`, or another plugin.

        ## E0548 the plugin refused
        For a reason of its own. Its words are in the run's log, on this machine only.
        Example: `throw Refusal(.other, "…")`.
        What to do: read them with `escrow run --log`, or ask the plugin's publisher.

        ## E0549 the plugin stopped because the run was cancelled
        The host cancelled, by the person's wish or because a limit was reached, and the plugin ended in good order.
        Example: pressing Ctrl-C during `escrow run`.
        What to do: nothing; run it again if you want the result.

        ## E0550 a namespace is missing
        The kernel refuses a user, mount, network, process, IPC or hostname namespace, so that wall cannot be built, and nobody
        lowered it. Triggered by: `user.max_user_namespaces=0`, Ubuntu's AppArmor restriction, most container runtimes.
        Do: `escrow doctor`; allow user namespaces for the host. To run without, lower the wall by its name in config.json of
        the escrow home: `{ "loweredWalls": ["user-namespace"] }`; each run then says so, and the ledger as well.

        ## E0551 Landlock is missing
        The kernel has no Landlock, or it is not switched on (`lsm=` on the kernel's command line).
        Do: switch it on, or lower `landlock` by name; scripts never run without it.

        ## E0552 seccomp is missing
        The kernel refuses system call filters, their listener, or the calls that stop a plugin and see its end (pidfd_getfd,
        pidfd_send_signal, waitid). Without them no plugin runs, and this wall cannot be lowered.
        Do: use a kernel with CONFIG_SECCOMP_FILTER, 5.13 or later; let the container that the host runs in allow these calls.

        ## E0553 no unprivileged user
        The host is the kernel's root and no other user id is mapped here, so the plugin would be root as well.
        Triggered by: a container with a one-line id map, run by root.
        Do: run the host as an ordinary user, or map more ids; or lower `unprivileged-user` by name.

        ## E0554 a wall could not be built, or does not hold
        A step of the sandbox failed; or a test program went through all of it, was looked at from outside, and a wall that said
        it stood did not; or a script was to run with a wall lowered that scripts need.
        Do: run no plugin here; `escrow doctor` checks each wall by itself.

        ## E0555 a wall that cannot be lowered
        seccomp, no-new-privileges, capabilities, descriptors, resource-limits, sealed-program and control-group are never lowered.
        Do: take it off `loweredWalls` in config.json of the escrow home.

        ## E0556 the sandbox could not be started
        The system gave no pipe, descriptor or thread.
        Do: look at the host's own limits (`ulimit -n`, `ulimit -u`).

        ## E0557 the filter could not be compiled
        libseccomp is older than 2.5.4 or does not know a call.
        Do: update libseccomp; `escrow doctor` shows what this machine has.

        ## E0558 no sealed file
        The system gave no memory for the copy of the program.
        Do: free memory; look at the host's own limits.

        ## E0559 the sandbox of a run could not be built
        A step between clone and exec failed for this run; the plugin was not started. The message names step and reason.
        Do: `escrow doctor`; try again if the machine was short of memory or processes.
        """#
}
