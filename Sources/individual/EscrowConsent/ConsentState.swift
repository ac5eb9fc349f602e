/// Where a dataflow stands.
public enum ConsentState: String, Sendable, CaseIterable {
    /// Nobody decided, or what was decided does not hold for it any more.
    case notDetermined
    /// It may run as it asks to.
    case authorized
    /// It may run, over less than it asks for.
    case limited
    /// It may not run; the individual can change that.
    case denied
    /// It may not run, and the individual cannot change that.
    case restricted
}

/// Why a dataflow stands where it stands.
public enum ConsentReason: String, Sendable, CaseIterable {
    /// Nobody was asked yet.
    case neverAsked
    /// The individual answered a prompt.
    case prompt
    /// The individual used a command.
    case settings
    /// A rule of the individual's preferences.
    case rule
    /// The device lacks what a rule says it must have.
    case missingResource
    /// No rule permits it, and the individual set that nobody is asked then. A grant stands above that.
    case noRule
    /// Somebody else's restriction.
    case restriction
    /// The plugin does not say what for.
    case missingPurpose
    /// A prompt ended without an answer.
    case timeOut
    /// The plugin's new version asks for more than the one that was decided about.
    case changedPlugin
    /// The app asks for more than was decided about.
    case wider
    /// What was decided held for a time, or for so many runs, and they are over.
    case expired
    /// What was allowed was not used for 90 days.
    case unused
}
