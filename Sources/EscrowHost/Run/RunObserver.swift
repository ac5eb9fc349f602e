/// Watches a run on the individual's side.
public protocol RunObserver {
    /// The dataflow in words, before it is decided about.
    func explain(_ lines: [String])
    /// How wide the lines of the dataflow may be.
    var columns: Int { get }
    /// How far the plugin says it is, from 0 to 1.
    func progress(_ fraction: Double)
    /// What the plugin wrote on stderr. It may hold data of the individual's: for this terminal only.
    func log(_ bytes: [UInt8])
}

extension RunObserver {
    /// As records have them.
    public var columns: Int { 96 }
}
