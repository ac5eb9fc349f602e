internal import EscrowDatabaseFiles
internal import EscrowFormats
internal import EscrowSourceFiles
internal import EscrowTableKit

/// The cards of a listing: all, file after file, or chosen ones. One scan owns it; a copy would share its place in the file.
struct CardStream {
    enum Route {
        /// All, in the order of the files. A collector gets each.
        case all(CardCollector?)
        /// Those of which an index knows the places.
        case chosen(CardPlaces, CardWalk)
    }

    private let listing: FileListing
    private let kept: KeptCards
    private let context: SourceContext
    private let wanted: VCardPropertySet
    private let current = OpenFile()
    private let collector: CardCollector?
    private let places: CardPlaces?
    private var walk: CardWalk?
    /// A file that could not be read; nothing more is said of it.
    private var badFile: Int?
    private var nextFile = 0
    private var kind: [UInt8] = []
    private var text = VCardText()
    private let includesGroups: Bool
    /// Whether the card is a group (`KIND:group`, RFC 6350 6.1.4), which is no contact.
    private(set) var isGroup = false
    /// The card that ``advance()`` read.
    private(set) var card = VCard()
    /// Whether a card before this one has its UID, if that is known.
    private(set) var isRepeated: Bool?

    init(
        _ kept: KeptCards, context: SourceContext, wanted: VCardPropertySet, route: Route = .all(nil),
        includesGroups: Bool = false
    ) {
        self.includesGroups = includesGroups
        self.kept = kept
        listing = kept.listing
        self.context = context
        var wanted = wanted
        switch route {
        case .all(let some):
            collector = some
            places = nil
            if let some { wanted.formUnion(VCardPropertySet(some.properties)) }
        case .chosen(let some, let walk):
            collector = nil
            places = some
            self.walk = walk
        }
        self.wanted = wanted
    }

    /// The file that the card is in, by its position in the listing.
    var file: Int { nextFile - 1 }
    private(set) var path = ""

    /// A row id for what begins at an offset of the current file: its position in the snapshot.
    func rowID(_ offset: Int64) -> Int64 { RowID.make(file: file, place: offset) }

    /// Reads the next card that describes a person or an organization, or a group if they are included; false when there are
    /// none left.
    mutating func advance() -> Bool {
        if let places {
            while let position = walk?.next() { if read(position, of: places) { return true } }
            return false
        }
        guard advanceToNext() else {
            collector?.finish()
            return false
        }
        collector?.add(card, rowID: rowID(card.offset), path: path)
        return true
    }

    private mutating func advanceToNext() -> Bool {
        while true {
            if current.reader == nil, !openNext() { return false }
            while current.reader!.next(into: &card) {
                isGroup = cardIsGroup()
                if includesGroups || !isGroup { return true }
            }
            current.reader = nil
        }
    }

    /// Reads one card by its place. If it is not there any more, tells the owner and returns false.
    mutating func read(_ position: Int, of places: CardPlaces) -> Bool {
        let rowID = places.rowIDs[position]
        let index = RowID.file(of: rowID)
        guard listing.files.indices.contains(index), index != badFile else { return false }
        badFile = index
        if current.reader == nil || index != file {
            current.reader = nil
            nextFile = index
            guard openNext(), index == file else { return false }
        }
        let offset = RowID.place(of: rowID)
        current.reader!.seek(to: offset, ordinal: Int(places.ordinals[position]))
        guard current.reader!.next(into: &card), card.offset == offset else {
            current.reader = nil
            context.onSkip(path, .changed)
            return false
        }
        badFile = nil
        isRepeated = places.repeated[position]
        return true
    }

    private mutating func openNext() -> Bool {
        while nextFile < listing.files.count {
            let index = nextFile
            nextFile += 1
            let context = self.context
            let path = listing.path(index)
            self.path = path
            let onProblem = { [collector] (problem: FileProblem) in
                collector?.spoil()
                context.onSkip(path, problem)
            }
            guard listing.files[index].kind == ContactFile.cards else {
                guard let cards = kept.open(index, onProblem: onProblem),
                    let file = cards.file.duplicate()
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

    private mutating func cardIsGroup() -> Bool {
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
