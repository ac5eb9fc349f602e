internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

/// The address books among a statement's files, each written out once as a file of vCards: the programs that own them keep
/// whole cards, so one reader serves them all.
final class KeptCards {
    let listing: FileListing
    private let files: KeptFiles
    private var cards: [Int: Cards] = [:]

    /// What came of an address book.
    private struct Cards {
        let file: AnonymousFile?
        let size: Int64
        let problem: FileProblem?
    }

    /// Those of a statement, the same for all its tables.
    static func shared(by statement: AssetTable, _ context: SourceContext) throws(Diagnostic) -> KeptCards {
        try context.shared.value(for: statement) { () throws(Diagnostic) in
            // A card without a picture takes 250 bytes or so.
            KeptCards(try context.list(bytesPerRow: 250))
        }
    }

    init(_ listing: FileListing) {
        self.listing = listing
        files = KeptFiles(listing)
    }

    /// Opens the cards of an address book. Tells `onProblem`, and returns nil, if there are none.
    func open(_ index: Int, onProblem: (FileProblem) -> Void) -> (file: AnonymousFile, size: Int64)? {
        let known = cards[index] ?? write(index)
        cards[index] = known
        if let problem = known.problem { onProblem(problem) }
        return known.file.map { ($0, known.size) }
    }

    private func write(_ index: Int) -> Cards {
        switch files.open(index) {
        case .problem(let problem): return Cards(file: nil, size: 0, problem: problem)
        case .other: return Cards(file: nil, size: 0, problem: FileProblem(.noAddressBook()))
        case .database(let copy):
            var writer: CardWriter?
            do throws(Diagnostic) {
                let database = try DatabaseFile(copy)
                let fresh = try CardWriter(size: Int64(database.size))
                writer = fresh
                let left = try AddressBook.write(database, to: fresh)
                let problem = left == 0 ? nil : FileProblem("\(left) cards without a vCard", partial: true)
                return Cards(file: fresh.file, size: fresh.size, problem: problem)
            } catch {
                // What stands before the fault is served.
                let size = writer?.size ?? 0
                return Cards(
                    file: size > 0 ? writer?.file : nil, size: size,
                    problem: FileProblem(error, partial: size > 0))
            }
        }
    }
}
