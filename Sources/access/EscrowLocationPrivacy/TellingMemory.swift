/// What was told to an app before, as far as the next answer depends on it. It is as exact as a cell, so it is the individual's own
/// and never sent.
public struct TellingMemory: Sendable, Equatable {
    /// The last cells.
    public var cells: Anonymisation.Cells?
    /// The last answer of planar Laplace, and what is spent of the day.
    public var trace: PredictiveTrace.State?
    /// Around which places dummies live: the first of the individual's, and each that is too far from all before.
    public private(set) var anchors: [Coordinates] = []

    /// Beyond these the oldest is forgotten.
    public static let mostAnchors = 8

    /// Nothing was told.
    public init() {}

    /// Takes up what was kept.
    public init(cells: Anonymisation.Cells?, trace: PredictiveTrace.State?, anchors: [Coordinates]) {
        (self.cells, self.trace) = (cells, trace)
        self.anchors = anchors.suffix(Self.mostAnchors)
    }

    /// The dummies' lives around the anchor that is near enough; the place itself becomes one where none is.
    mutating func lives(_ count: Int, at point: Coordinates, _ key: MaskKey, _ gazetteer: Gazetteer)
        -> DummyLives?
    {
        var near: (anchor: Coordinates, metres: Double)?
        for anchor in anchors {
            let metres = Ellipsoid.distance(anchor, point)
            if metres <= DummyLives.farthest, metres < near?.metres ?? .infinity { near = (anchor, metres) }
        }
        let anchor: Coordinates
        if let near {
            anchor = near.anchor
        } else {
            // Coarse, so that the same life is lived whichever of the individual's places is asked about first.
            let grid = CellGrid(metres: 5_000)
            anchor = grid.centre(of: grid.cell(of: point, last: nil))
            anchors = (anchors + [anchor]).suffix(Self.mostAnchors)
        }
        return DummyLives(count, home: anchor, key: key, gazetteer: gazetteer)
    }
}
