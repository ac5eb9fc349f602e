/// What rules can look at: one dataflow, and the device at that moment. Nil is "not known", and a rule that needs to know
/// cannot be evaluated.
public struct DataflowFacts: Sendable, Equatable {
    /// The purpose's code.
    public var purpose: String?
    /// Tables that are read.
    public var tables: [String]?
    /// Columns that are returned or used, as `Table.column`; a table of which only the rows are counted stands here as
    /// `Table.count(*)`.
    public var columns: [String]?
    /// Host names that the plugin may have something sent to; empty: it sends nothing.
    public var endpoints: [String]?
    /// The app that asks.
    public var app: String?
    /// The plugin's id.
    public var plugin: String?
    /// The id of the key that signed the manifest.
    public var publisher: String?
    /// Who gets the result, for example `app:org.example.notes`.
    public var target: String?
    /// Where it is computed: `device`, or `server:` and its name.
    public var place: String?
    /// Which of the four patterns it is.
    public var pattern: DataflowPattern?
    /// Whether anything leaves the trust zone.
    public var crosses: Bool?
    /// Seconds of processor time that the plugin may use at most.
    public var cpuSeconds: Int?
    /// Minutes since midnight, local time.
    public var minute: Int?
    /// Seconds of processor time that this app's dataflows used since midnight, local time.
    public var cpuSecondsToday: Int?
    /// Bytes that this app's dataflows sent and returned since midnight, local time.
    public var bytesToday: Int?
    /// The device.
    public var device = DeviceState()

    /// Knows nothing yet.
    public init() {}

    /// Whether anything is sent over the network.
    var sends: Bool? { endpoints.map { !$0.isEmpty } }
}

/// What the device tells about itself; nil is "not known".
public struct DeviceState: Sendable, Equatable {
    /// Whether external power is connected. A machine without a battery is on external power.
    public var charging: Bool?
    /// The battery's level in percent; 100 for a machine without one.
    public var battery: Int?
    /// Whether the network is paid by volume.
    public var metered: Bool?
    /// The share of the last ten seconds in which something waited for a processor, in percent (PSI).
    public var cpuPressure: Int?

    /// Names a state.
    public init(charging: Bool? = nil, battery: Int? = nil, metered: Bool? = nil, cpuPressure: Int? = nil) {
        self.charging = charging
        self.battery = battery
        self.metered = metered
        self.cpuPressure = cpuPressure
    }
}
