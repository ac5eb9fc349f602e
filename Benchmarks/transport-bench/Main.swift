import EscrowJSON
import EscrowTabular
import EscrowWire
import Glibc

/// Feeds rows to a plugin through two pipes, as the host does, and tells how long that took; no source, no sandbox.
///
///     transport-bench ROWS WAY PROGRAM [ARGUMENT …]
///
/// Starts the program, says in its parameter `way` how to read, and answers its asks out of one batch that was made
/// before, again and again until ROWS went through. Prints one line of JSON: `rows`, `bytes` on the pipe for them, `ms` from
/// the first ask until the result, `hostMs` of them that the host spent encoding, and the `result`. Ends with 1 if the
/// plugin added up something else than went out. With the way `raw` the same bytes go into the program's stdin at once,
/// encoded before: what the pipe alone can do.
@main
enum Main {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 3, let rows = Int(words[0]), rows > 0 else {
            fail("usage: transport-bench ROWS WAY PROGRAM [ARGUMENT …]", status: 64)
        }
        signal(SIGPIPE, SIG_IGN)
        do {
            let feed = try Feed(rows: rows)
            if words[1] == "raw" {
                try feed.pour(into: Array(words[2...]))
            } else {
                try feed.run(way: words[1], Array(words[2...]))
            }
        } catch { fail("\(error)") }
    }

    static func fail(_ text: String, status: Int32 = 1) -> Never {
        let line = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(status)
    }
}
