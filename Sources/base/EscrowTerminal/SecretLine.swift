import Glibc

/// What somebody types and the terminal does not show: a passphrase, a code.
public enum SecretLine {
    /// Asks on the terminal that is standard input; at most so many bytes, without the line's end. Nil where it is no terminal.
    public static func read(_ prompt: String, atMost most: Int) -> [UInt8]? {
        read(prompt, on: 2, from: 0, atMost: most)
    }

    /// The terminal shows nothing more before the prompt appears: who answers at once is neither seen nor, as the change throws
    /// away what was typed before it, lost.
    static func read(_ prompt: String, on shown: Int32, from terminal: Int32, atMost most: Int) -> [UInt8]? {
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return nil }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ECHONL)
        tcsetattr(terminal, TCSAFLUSH, &silent)
        defer { tcsetattr(terminal, TCSAFLUSH, &settings) }
        _ = write(shown, prompt, prompt.utf8.count)
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < most {
            let count = Glibc.read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != 0x0A else { break }
            bytes.append(byte)
        }
        return bytes
    }
}
