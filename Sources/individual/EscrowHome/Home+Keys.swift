public import EscrowDiagnostics
import EscrowFiles
import Glibc

extension Home {
    /// The file of a signing key by its name: letters, digits, `-`, `_` and `.`, not beginning with a dot.
    public func keyPath(_ name: String) throws(Diagnostic) -> String {
        let isPlain = name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || [0x2D, 0x2E, 0x5F].contains($0)
        }
        guard isPlain, !name.isEmpty, name.utf8.count <= 64, !name.hasPrefix(".") else {
            throw Diagnostic(
                .keyName, "a key's name is made of letters, digits, '-', '_' and '.'",
                help: "for example: escrow key new work")
        }
        return keysPath + "/" + name + ".key"
    }

    /// The names of the signing keys, sorted.
    public func keyNames() throws(Diagnostic) -> [String] {
        try Folder.names(keysPath).filter { $0.hasSuffix(".key") && !$0.hasPrefix(".") }
            .map { String($0.dropLast(4)) }.sorted()
    }
}
