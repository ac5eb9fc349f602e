/// Which files are listed for one kind of source: what a walk, an archive's listing and a watch must know of it.
package protocol FileChoice: Sendable {
    /// A name that no other kind has, by which what is remembered of its listings is told apart.
    var listName: String { get }
    /// Whether entries whose name begins with a dot are looked at.
    var readsHidden: Bool { get }
    /// Whether a socket that the owner named is a source; those in folders never are.
    var readsSockets: Bool { get }
    /// The name of a folder that marks a hidden folder that holds it as one to be looked into; nil for none.
    var hiddenFolderMarker: String? { get }
    /// Whether ``classify(_:)`` looks at nothing but the ending of a file that lies in a folder.
    var classifiesByEnding: Bool { get }

    /// Recognises a file by its name.
    ///
    /// - Returns: any number that the tables want to find in ``FileListing/File/kind``; nil for a file of another kind.
    func classify(_ file: FileCandidate) -> UInt8?

    /// The endings of zip archives whose members are read as files of a folder are; empty for a kind that reads none.
    var archiveEndings: Set<String> { get }

    /// Recognises a member of an archive by its path in it, as ``classify(_:)`` does a file.
    func classifyMember(_ path: String) -> UInt8?

    /// Whether a file, by its name, may tell more of those that are listed, without being one of them.
    func isCompanion(_ file: FileCandidate) -> Bool
}

extension FileChoice {
    package var readsHidden: Bool { false }
    package var readsSockets: Bool { false }
    package var hiddenFolderMarker: String? { nil }
    package var classifiesByEnding: Bool { false }
    package var archiveEndings: Set<String> { [] }

    package func isCompanion(_ file: FileCandidate) -> Bool { false }

    package func classifyMember(_ path: String) -> UInt8? {
        let parts = path.split(separator: "/")
        guard let name = parts.last else { return nil }
        return classify(
            FileCandidate(
                name: String(name), folder: parts.dropLast().last.map(String.init) ?? "", isRoot: false))
    }

    /// Recognises a file by its name: an archive, or one of the kind.
    package func classifyOrArchive(_ file: FileCandidate) -> UInt8? {
        if archiveEndings.contains(file.ending) { return ListedArchive.kind }
        return classify(file)
            ?? (!archiveEndings.isEmpty && ListedArchive.isTar(file.ending) ? ListedArchive.tarKind : nil)
    }

    /// A listing of the files of some sources; archives are still closed.
    package func walk(onProblem: @escaping (_ path: String, _ problem: FileProblem) -> Void) -> FolderWalk {
        FolderWalk(
            readsHidden: readsHidden, readsSockets: readsSockets, hiddenFolderMarker: hiddenFolderMarker,
            classify: { self.classifyOrArchive($0) },
            isCompanion: { self.isCompanion($0) },
            classifiesByEnding: classifiesByEnding,
            onProblem: { path, problem in
                let name =
                    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[$0...].dropFirst() } ?? path[...]
                let file = FileCandidate(name: String(name), folder: "", isRoot: false)
                if problem != .notThisKind || !self.isCompanion(file) { onProblem(path, problem) }
            })
    }
}
