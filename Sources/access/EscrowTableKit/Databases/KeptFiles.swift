package import EscrowDatabaseFiles
package import EscrowDiagnostics
package import EscrowFiles
package import EscrowSourceFiles
internal import Glibc

/// The databases among some files, each copied once for a statement, so that every scan of it sees the same.
///
/// The programs that own them write at any time; a database's own stamp tells nothing of what came into its log.
package final class KeptFiles {
    package enum Content: ~Copyable {
        case database(PrivateCopy)
        /// Another format. It is opened anew each time, which fails if it is not what was listed.
        case other(Descriptor)
        case problem(FileProblem)
    }

    private enum Kept {
        case copy(PrivateCopy)
        case problem(FileProblem)
    }

    package let listing: FileListing
    private var opener = FileOpener()
    private var kept: [Int: Kept] = [:]

    package init(_ listing: FileListing) { self.listing = listing }

    /// Opens a listed file.
    package func open(_ index: Int) -> Content {
        switch kept[index] {
        case .copy(let copy): return .database(copy)
        case .problem(let problem): return .problem(problem)
        case nil: break
        }
        switch opener.open(index, of: listing) {
        case .problem(let problem): return .problem(problem)
        case .opened(let file):
            guard let head = file.bytes(at: 0, count: Self.signature.count) else {
                return .problem(.unreadable(errno: errno))
            }
            // A new database may be empty still, with all it holds in its log.
            guard head.isEmpty || head.elementsEqual(Self.signature) else { return .other(file) }
            do throws(Diagnostic) {
                let copy = try PrivateCopy(of: file.raw) { opener.openSibling($0, of: index, in: listing) }
                kept[index] = .copy(copy)
                return .database(copy)
            } catch {
                kept[index] = .problem(FileProblem(error))
                return .problem(FileProblem(error))
            }
        }
    }

    package static let signature = "SQLite format 3\0".utf8
}

extension FileProblem {
    /// What is wrong with a database, with its code, which `escrow explain` tells more of.
    package init(_ error: Diagnostic, partial: Bool = false) {
        self.init("\(error.message) (\(error.code.rawValue))", partial: partial)
    }
}
