internal import EscrowSourceFiles
internal import Glibc

/// Finds out when the pictures of a listing were taken, a few at a time: those that an earlier finding does not answer for are
/// read.
///
/// An earlier date holds for a file of the same name, size, times and i-node, in a folder of the same path; where the
/// header does not tell, also what lies beside it must be the same. All else is read again, so the result is that of a scan
/// of all pictures.
struct PhotoDatesReading {
    private let listing: FileListing
    private let old: KnownDates?
    private var times: [Int64]
    private var bases: [PhotoDate.Basis]
    /// By the old position, the new one of a file whose date holds; negative for the others.
    private var moved: [Int32] = []
    /// Files that are to be read, ascending, and how many of them were.
    private let pending: [Int32]
    private(set) var done = 0
    private var found: [Int32] = []

    /// - Parameter old: what was found before, for whatever listing of the same sources.
    init(_ listing: FileListing, from old: KnownDates?) {
        self.listing = listing
        self.old = old
        let count = listing.files.count
        if let old, let state = listing.state, old.listing.state == state {
            times = old.times
            bases = old.bases
            pending = old.momentary
            moved = (0..<Int32(count)).map { $0 }
            for index in pending { moved[Int(index)] = -1 }
            return
        }
        times = Array(repeating: PhotoDate.null, count: count)
        bases = Array(repeating: .moment, count: count)
        guard let old, listing.state != nil else {
            pending = (0..<Int32(count)).map { $0 }
            return
        }
        moved = Array(repeating: -1, count: old.listing.files.count)
        pending = Self.carry(old, to: listing, &moved, &times, &bases)
    }

    /// Reads up to so many files; false as long as there are more.
    ///
    /// - Parameter read: says when a picture was taken; nil for one that is not there, or not wanted.
    mutating func advance(_ count: Int, read: (Int) -> PhotoDate?) -> Bool {
        for index in pending[done..<min(done + count, pending.count)] {
            done += 1
            guard let date = read(Int(index)) else { continue }
            times[Int(index)] = date.time
            bases[Int(index)] = date.basis
            found.append(index)
        }
        return done == pending.count
    }

    /// All dates, once all files are read.
    func finish() -> KnownDates {
        let fresh = found.map { (time: times[Int($0)], index: $0) }.sorted(by: Self.precedes)
        var order: [Int32] = []
        order.reserveCapacity(listing.files.count)
        var at = 0
        for position in old?.order ?? [] where !moved.isEmpty {
            let index = moved[Int(position)]
            guard index >= 0 else { continue }
            let own = (time: times[Int(index)], index: index)
            while at < fresh.count, Self.precedes(fresh[at], own) {
                order.append(fresh[at].index)
                at += 1
            }
            order.append(index)
        }
        order.append(contentsOf: fresh[at...].lazy.map(\.index))
        return KnownDates(
            listing, times: times, bases: bases, order: order,
            momentary: found.filter { bases[Int($0)] == .moment })
    }

    private static func precedes(
        _ left: (time: Int64, index: Int32), _ right: (time: Int64, index: Int32)
    ) -> Bool {
        left.time != right.time ? left.time < right.time : left.index < right.index
    }

    /// Takes over the dates that hold still, and returns the files without one. Names are sorted within each folder in both
    /// listings, so one pass finds each file again; and files that are in both are so in the same order.
    private static func carry(
        _ old: KnownDates, to listing: FileListing, _ moved: inout [Int32], _ times: inout [Int64],
        _ bases: inout [PhotoDate.Basis]
    ) -> [Int32] {
        let known = old.listing
        var positions: [String: Int] = [:]
        for (position, directory) in known.directories.enumerated() { positions[directory.path] = position }
        let before = listing.directories.map { positions[$0.path] }
        let beside = SideCarChanges(from: known, to: listing, before)
        // For each old folder its first file that was not passed yet; for each file the next one of its folder.
        var heads = [Int](repeating: -1, count: known.directories.count)
        var tails = heads
        var nexts = [Int32](repeating: -1, count: known.files.count)
        for (index, file) in known.files.enumerated() where file.directory >= 0 {
            let folder = Int(file.directory)
            if tails[folder] < 0 { heads[folder] = index } else { nexts[tails[folder]] = Int32(index) }
            tails[folder] = index
        }
        var pending: [Int32] = []
        var lastMoved = -1
        for (index, file) in listing.files.enumerated() {
            guard file.directory >= 0, let folder = before[Int(file.directory)] else {
                pending.append(Int32(index))
                continue
            }
            var head = heads[folder]
            var order: Int32 = 1
            while head >= 0 {
                order = known.compareName(head, with: index, of: listing)
                if order >= 0 { break }
                head = Int(nexts[head])
            }
            heads[folder] = head
            // A folder that changed its place among the others is not found in the same order.
            guard head > lastMoved, order == 0, known.isSame(head, as: index, of: listing),
                holds(old, head, index, listing, beside)
            else {
                pending.append(Int32(index))
                continue
            }
            lastMoved = head
            moved[head] = Int32(index)
            times[index] = old.times[head]
            bases[index] = old.bases[head]
        }
        return pending
    }

    private static func holds(
        _ old: KnownDates, _ head: Int, _ index: Int, _ listing: FileListing, _ beside: SideCarChanges
    ) -> Bool {
        switch old.bases[head] {
        case .header: true
        case .moment: false
        case .sideCars: !beside.concern(index, of: listing)
        }
    }
}

extension FileListing {
    /// Compares the bytes of a file's name with those of another listing's.
    fileprivate func compareName(_ index: Int, with other: Int, of listing: FileListing) -> Int32 {
        withName(index) { own in listing.withName(other) { strcmp(own, $0) } }
    }

    /// Whether a file of that name is as it was, as far as the system tells.
    fileprivate func isSame(_ index: Int, as other: Int, of listing: FileListing) -> Bool {
        let (own, its) = (files[index], listing.files[other])
        return own.inode == its.inode && own.size == its.size && own.modified == its.modified
            && own.touched == its.touched && own.kind == its.kind
    }
}
