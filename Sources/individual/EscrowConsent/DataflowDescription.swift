/// One dataflow in the words that the individual decides by.
///
/// What is decided about is `dataflow`; its members are members of this, too. The words are for people alone: nothing is compared
/// by them.
@dynamicMemberLookup
public struct DataflowDescription: Sendable, Equatable {
    /// What a decision is about.
    public var dataflow: Dataflow
    /// The publisher's name, as it says itself; nothing is decided by it.
    public var publisher: String
    /// What the app would get, in one sentence: fields and size.
    public var returns: String
    /// Which files the plugin may open whole, in one sentence; empty where it opens none.
    public var opens = ""
    /// What the app itself says about why it asks; nothing is decided by it.
    public var appWords = ""
    /// The plugin's title, as its publisher says it.
    public var title = ""
    /// What the app learns, as the publisher says it, one sentence each.
    public var learns: [String] = []
    /// What the app can be given at most, whatever these sentences say.
    public var allowance = ""
    /// Why each column is wanted, as the publisher says it: `phoneNumber: "the number that is checked"`.
    public var reasons: [String] = []
    /// Where a run's requests go and how much they carry at most, in one short sentence; empty means nowhere.
    public var internet = ""
    /// What would be sent over the network, one sentence each; empty means nothing.
    public var egress: [String]
    /// How many bits a run can carry away at most, by requests and by its result, in one sentence.
    public var capacity: String
    /// One sentence: time, memory, walls.
    public var limits: String
    /// What the individual should know before saying yes, one sentence each: walls of the sandbox that are lowered.
    public var warnings: [String]
    /// Whether it stays inside the individual's trust zone or leaves it, in one sentence; empty where nobody looked.
    public var zone = ""
    /// What the individual's own rules say about it, one sentence each.
    public var rules: [String] = []
    /// What leaves the device to be computed on elsewhere, and whose machine that is, in one sentence; empty where nothing does.
    public var leaves = ""
    /// What must be seen before anything else, in the plainest words: the data itself leaves.
    public var alarms: [String] = []

    /// Puts words beside a dataflow.
    public init(
        _ dataflow: Dataflow, publisher: String, returns: String, egress: [String] = [], capacity: String,
        limits: String, warnings: [String] = []
    ) {
        self.dataflow = dataflow
        self.publisher = publisher
        self.returns = returns
        self.egress = egress
        self.capacity = capacity
        self.limits = limits
        self.warnings = warnings
    }

    public subscript<Value>(dynamicMember member: WritableKeyPath<Dataflow, Value>) -> Value {
        get { dataflow[keyPath: member] }
        set { dataflow[keyPath: member] = newValue }
    }

    public subscript<Value>(dynamicMember member: KeyPath<Dataflow, Value>) -> Value {
        dataflow[keyPath: member]
    }
}
