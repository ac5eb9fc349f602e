internal import EscrowSchema

/// Where the rows of each group of a source lie in a native table, so that those of changed groups can be replaced.
struct MaterialGroups: Sendable {
    /// A group, and the row ids that are its own: from `start` up to and without `end`.
    struct Place: Sendable {
        let group: RowGroup
        var start: Int64
        var end: Int64
    }

    /// Ascending.
    private(set) var places: [Place]

    /// Groups whose rows have the ids that the source gave them.
    init(_ groups: [RowGroup]) {
        places = groups.enumerated().map { index, group in
            let end = Int64(index + 1).multipliedReportingOverflow(by: 1 << RowGroup.placeBits)
            return Place(
                group: group, start: Int64(index) << RowGroup.placeBits,
                end: end.overflow ? .max : end.partialValue)
        }
    }

    /// What has to be done to a native table so that it holds other groups.
    struct Changes {
        /// Row ids that go.
        var gone: [Range<Int64>] = []
        /// For each group, by its position, where its rows lie; nil for one that is to be put between its neighbours.
        var kept: [Place?] = []
        /// The positions of the groups that are to be read.
        var fresh: [Int] = []
    }

    /// Compares with the groups of a later state. Groups that changed their order are taken for others.
    func changes(to groups: [RowGroup]) -> Changes {
        var changes = Changes()
        let known = Dictionary(
            places.enumerated().map { ($1.group.name, $0) }, uniquingKeysWith: { first, _ in first })
        var at = 0
        for (position, group) in groups.enumerated() {
            guard let old = known[group.name], old >= at else {
                changes.kept.append(nil)
                changes.fresh.append(position)
                continue
            }
            for place in places[at..<old] { changes.gone.append(place.start..<place.end) }
            at = old + 1
            let place = places[old]
            changes.kept.append(Place(group: group, start: place.start, end: place.end))
            if group.state == nil || group.state != place.group.state {
                changes.gone.append(place.start..<place.end)
                changes.fresh.append(position)
            }
        }
        for place in places[at...] { changes.gone.append(place.start..<place.end) }
        return changes
    }

    init(places: [Place]) { self.places = places }
}
