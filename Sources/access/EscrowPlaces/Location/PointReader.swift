/// A file that yields points, one call at a time, in bounded memory.
protocol PointReader: AnyObject {
    /// The next place on earth; nil at the end of what can be read. Points that are nowhere are counted and told.
    func next() -> LocationPoint?
}
