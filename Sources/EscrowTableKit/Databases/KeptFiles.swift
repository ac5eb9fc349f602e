package import EscrowDatabaseFiles
package import EscrowDiagnostics
package import EscrowSourceFiles
internal import Glibc

/// Files that are read once for a statement and kept until its end, so that every scan of it sees the same.
///
/// The programs that own them write at any time; a database's own stamp tells nothing of what came into its log.
package final class KeptFiles {
    /// What a file is.
    package enum Content {
        case database(PrivateCopy)
        case bytes([UInt8])
        /// Another format, to be read from front to back by each scan.
        case stream(SharedDescriptor, size: Int64)
        case problem(FileProblem)
    }

    /// The most bytes of a file that is no database.
    package static let byteLimit: Int64 = 16 << 20

    package let listing: FileListing
    private var opener = FileOpener()
    private var contents: [Int: Content] = [:]
    let streams: Bool

    /// - Parameter streams: whether what is no database is left open instead of being read.
    package init(_ listing: FileListing, streams: Bool = false) {
        self.listing = listing
        self.streams = streams
    }

    /// The content of a listed file.
    package func content(_ index: Int) -> Content {
        if let known = contents[index] { return known }
        let content = read(index)
        // Each scan opens it anew, which fails if it is not what was listed.
        if case .stream = content { return content }
        contents[index] = content
        return content
    }

    private func read(_ index: Int) -> Content {
        switch opener.open(index, of: listing) {
        case .problem(let problem): return .problem(problem)
        case .opened(let file):
            var head = [UInt8](repeating: 0, count: 16)
            guard let count = file.read(into: &head, range: 0..<16, at: 0) else {
                return .problem(.unreadable(errno: errno))
            }
            // A new database may be empty still, with all it holds in its log.
            guard count == 0 || head.elementsEqual(Self.signature) else {
                if streams { return .stream(SharedDescriptor(file), size: listing.files[index].size) }
                return bytes(file, index)
            }
            do throws(Diagnostic) {
                return .database(
                    try PrivateCopy(of: file.raw) { opener.openSibling($0, of: index, in: listing) })
            } catch {
                return .problem(FileProblem(error))
            }
        }
    }

    package static let signature = "SQLite format 3\0".utf8

    private func bytes(_ file: borrowing Descriptor, _ index: Int) -> Content {
        let size = listing.files[index].size
        guard size <= Self.byteLimit else {
            return .problem(FileProblem("more than \(Self.byteLimit >> 20) MiB"))
        }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        var done = 0
        while done < bytes.count {
            guard let count = file.read(into: &bytes, range: done..<bytes.count, at: Int64(done)) else {
                return .problem(.unreadable(errno: errno))
            }
            guard count > 0 else { return .problem(.changed) }
            done += count
        }
        return .bytes(bytes)
    }
}

extension FileProblem {
    /// What is wrong with a database, with its code, which `escrow explain` tells more of.
    package init(_ error: Diagnostic, partial: Bool = false) {
        self.init("\(error.message) (\(error.code.rawValue))", partial: partial)
    }
}
