/// A file that yields points, one call at a time, in bounded memory.
protocol PointReader: AnyObject {
    /// Hands points to `emit` until it returns false or the file ends.
    ///
    /// - Returns: false when there are no more.
    func read(_ emit: (borrowing LocationPoint) -> Bool) -> Bool
}
