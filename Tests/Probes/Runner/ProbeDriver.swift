/// Runs the probes of some families. The runner asks every driver in this order: `build` and `control` for
/// each probe as whoever started it, then, perhaps as another user, `inside` for each. All may come from
/// several threads at once.
protocol ProbeDriver: Sendable {
    /// The folders of Tests/Probes whose probes it runs.
    var families: Set<String> { get }
    /// Makes the probe ready, for example compiles it. Returns why this machine cannot run it at all, if it
    /// cannot.
    func build(_ probe: Probe) throws(ProbeFailure) -> String?
    /// Commits the misdeed where no wall stops it.
    func control(_ probe: Probe) throws(ProbeFailure) -> End
    /// Called before the first run inside, and again after this process has become another user.
    func prepareInside() throws(ProbeFailure)
    /// Commits the misdeed behind the walls.
    func inside(_ probe: Probe) throws(ProbeFailure) -> End
}
