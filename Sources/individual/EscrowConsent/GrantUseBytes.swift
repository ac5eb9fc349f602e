import EscrowDiagnostics

/// The file of uses, for whoever feeds it with bytes of any kind.
@_spi(Fuzzing) public enum GrantUseBytes {
    /// Reads bytes as the lines of such a file, at once and in two pieces, as a host does that follows a file which grows.
    /// Returns whether both came to the same.
    public static func read(_ bytes: [UInt8], split: Int) -> Bool {
        let place = bytes.isEmpty ? 0 : split % bytes.count
        return uses(pieces: [bytes]) == uses(pieces: [Array(bytes[..<place]), Array(bytes[place...])])
    }

    /// What stands in it; nil where it is damaged.
    private static func uses(pieces: [[UInt8]]) -> [String: GrantUse]? {
        let file = GrantUses("grants.uses")
        var content = GrantUses.Content()
        var all: [UInt8] = []
        for piece in pieces {
            all += piece
            do throws(Diagnostic) { try file.take(Array(all[content.end...]), into: &content) } catch {
                return nil
            }
        }
        return content.uses
    }
}
