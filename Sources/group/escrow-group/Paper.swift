import EscrowDiagnostics
import EscrowFiles
import EscrowGroup
import EscrowJSON
import Glibc

/// A file that people hand to one another. None is written that the other side could not read.
struct Paper {
    private let file: StoreFile

    init(_ path: String) {
        file = StoreFile(
            path, limit: 256 << 20, help: "the group's data is too long for an invitation: delete objects")
    }

    /// Fails where nothing can be written: before anything is done that the file is to tell of.
    func check() throws(Diagnostic) {
        var status = stat()
        guard stat(file.path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw Diagnostic(.notRegularFile, "\(file.path) is not a regular file", help: "name another file")
        }
        // As it will be written: beside its place.
        let trial = "\(file.path).\(getpid()).trial"
        try SecureFile.replace(trial, with: [])
        unlink(trial)
    }

    func introduction() throws(Diagnostic) -> Introduction { try introduction(read()) }

    func invitation() throws(Diagnostic) -> Invitation { try invitation(read()) }

    func write(_ introduction: Introduction) throws(Diagnostic) {
        try file.replace(with: JSONWriter.line(introduction.json)) { bytes throws(Diagnostic) in
            _ = try self.introduction(bytes)
        }
    }

    func write(_ invitation: Invitation) throws(Diagnostic) {
        try file.replace(with: JSONWriter.line(invitation.json)) { bytes throws(Diagnostic) in
            _ = try self.invitation(bytes)
        }
    }

    private func read() throws(Diagnostic) -> [UInt8] { try SecureFile.read(file.path, limit: file.limit) }

    private func introduction(_ bytes: [UInt8]) throws(Diagnostic) -> Introduction {
        do { return try Introduction(bytes) } catch {
            throw Diagnostic(.letterRefused, "\(file.path) is not an introduction")
        }
    }

    private func invitation(_ bytes: [UInt8]) throws(Diagnostic) -> Invitation {
        do { return try Invitation(bytes) } catch {
            throw Diagnostic(.letterRefused, "\(file.path) is not an invitation")
        }
    }
}
