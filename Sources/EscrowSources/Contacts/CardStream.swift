internal import EscrowSchema

/// All cards of a listing, file after file. One scan owns it; a copy would share its place in the file.
struct CardStream {
    private let listing: FileListing
    private let kept: KeptCards
    private let context: SourceContext
    private let wanted: VCardPropertySet
    private let current = OpenFile()
    private var nextFile = 0
    private var kind: [UInt8] = []
    private var text = VCardText()
    /// The card that ``advance()`` read.
    private(set) var card = VCard()

    init(_ kept: KeptCards, context: SourceContext, wanted: VCardPropertySet) {
        self.kept = kept
        listing = kept.listing
        self.context = context
        self.wanted = wanted
    }

    /// The file that the card is in, by its position in the listing.
    var file: Int { nextFile - 1 }
    /// The path of that file.
    var path: String { listing.path(file) }

    /// A row id for what begins at an offset of the current file: its position in the snapshot.
    func rowID(_ offset: Int64) -> Int64 { RowID.make(file: file, place: offset) }

    /// Reads the next card that describes a person or an organization; false when there are none left.
    mutating func advance() -> Bool {
        while true {
            if current.reader == nil, !openNext() { return false }
            while current.reader!.next(into: &card) { if !isGroup() { return true } }
            current.reader = nil
        }
    }

    private mutating func openNext() -> Bool {
        while nextFile < listing.files.count {
            let index = nextFile
            nextFile += 1
            let context = self.context
            let path = listing.path(index)
            let onProblem = { (problem: FileProblem) in context.onSkip(path, problem) }
            guard listing.files[index].kind == ContactsAdapter.cards else {
                guard let cards = kept.open(index, onProblem: onProblem),
                    let file = Descriptor(owning: cards.raw)
                else { continue }
                current.reader = VCardReader(file, size: cards.size, wanted: wanted, onProblem: onProblem)
                return true
            }
            switch current.opener.open(index, of: listing) {
            case .problem(let problem): onProblem(problem)
            case .opened(let file):
                current.reader = VCardReader(
                    file, size: listing.files[index].size, wanted: wanted, onProblem: onProblem)
                return true
            }
        }
        return false
    }

    /// A list of contacts (`KIND:group`, RFC 6350 6.1.4) is no contact.
    private mutating func isGroup() -> Bool {
        guard let line = card.first(.kind), let parameters = VCardParameters(line, in: card.arena) else {
            return false
        }
        kind.removeAll(keepingCapacity: true)
        _ = text.append(parameters, of: card, to: &kind)
        return kind[...].equalsIgnoringCase("GROUP")
    }
}

/// The file whose cards are being read: a place of its own for what cannot be copied.
private final class OpenFile {
    var opener = FileOpener()
    var reader: VCardReader?
}
