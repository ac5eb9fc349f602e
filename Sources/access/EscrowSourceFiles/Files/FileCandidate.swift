/// A file that a walk comes upon, before it was opened.
package struct FileCandidate {
    package let name: String
    /// The name of the folder that it lies in; empty for a file that the owner named.
    package let folder: String
    /// Whether the owner named this very file as the source. It is then mostly taken whatever its ending is.
    package let isRoot: Bool

    package init(name: String, folder: String, isRoot: Bool) {
        self.name = name
        self.folder = folder
        self.isRoot = isRoot
    }

    /// What follows the last dot of the name, with small letters; empty if there is none.
    package var ending: String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return name[dot...].dropFirst().lowercased()
    }
}
