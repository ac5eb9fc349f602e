import Glibc

/// The variables by which an environment steers how names are looked up: resolver(5), hostname(7), host.conf(5).
///
/// Whoever starts the host sets its environment, and might be the app that asks. A name is asked as absolute in any case,
/// so that no other domain answers for it; what is left of these would choose how often, or whether at all.
public enum ResolverEnvironment {
    /// Whether a variable is one of them.
    public static func isSteering(_ name: String) -> Bool {
        ["LOCALDOMAIN", "RES_OPTIONS", "HOSTALIASES"].contains(name) || name.hasPrefix("RESOLV_")
    }

    /// Takes them out of this process. Call it before there is a second thread. unsetenv(3)
    public static func clear() {
        var names: [String] = []
        var next = environ
        while let entry = next.pointee {
            names.append(String(cString: entry).prefix { $0 != "=" }.description)
            next += 1
        }
        for name in names where isSteering(name) { unsetenv(name) }
    }
}
