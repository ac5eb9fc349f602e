public import EscrowOffloadWire
import Glibc

/// What a server's owner may read on stderr: plugins, codes and counts, nothing of a run's data.
public enum Log {
    public static func say(_ words: String) {
        let line = Array("escrow-server: \(words)\n".utf8)
        _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }

    /// Of a run. Its device chose two of the words: they can neither begin a line nor speak to a terminal.
    public static func say(_ begin: Begin, _ words: String) {
        say("run \(neutral(begin.run)): \(neutral(begin.plugin)): \(words)")
    }

    private static func neutral(_ text: String) -> String {
        String(decoding: text.utf8.map { 0x21...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
