import ArgumentParser
import Foundation

/// A code that somebody types: on a command line every user of this machine could read it.
enum TypedCode {
    private static let longest = 256

    /// What was given, or, for `-`, a line of standard input; a terminal shows nothing of it.
    static func read(_ given: String) throws -> String {
        guard given == "-" else { return given }
        var settings = termios()
        let isTerminal = tcgetattr(0, &settings) == 0
        if isTerminal {
            var silent = settings
            silent.c_lflag &= ~tcflag_t(ECHO)
            silent.c_lflag |= tcflag_t(ECHONL)
            tcsetattr(0, TCSAFLUSH, &silent)
            FileHandle.standardError.write(Data("code: ".utf8))
        }
        defer { if isTerminal { tcsetattr(0, TCSAFLUSH, &settings) } }
        let line = (readLine() ?? "").trimmingCharacters(in: .whitespaces)
        guard !line.isEmpty, line.utf8.count <= longest else {
            throw ValidationError("no code came on standard input")
        }
        return line
    }
}
