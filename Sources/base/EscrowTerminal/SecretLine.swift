import Glibc

/// What somebody types and the terminal does not show: a passphrase, a code.
public enum SecretLine {
    /// Asks on the terminal that is standard input; at most so many bytes, without the line's end. Nil where it is no terminal.
    public static func read(_ prompt: String, atMost most: Int) -> [UInt8]? {
        var settings = termios()
        guard tcgetattr(0, &settings) == 0 else { return nil }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ECHONL)
        _ = write(2, prompt, prompt.utf8.count)
        tcsetattr(0, TCSAFLUSH, &silent)
        defer { tcsetattr(0, TCSAFLUSH, &settings) }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < most {
            let count = Glibc.read(0, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != 0x0A else { break }
            bytes.append(byte)
        }
        return bytes
    }
}
