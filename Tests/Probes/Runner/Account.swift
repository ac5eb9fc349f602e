import CProbeRunner
import Glibc

/// A user of this machine.
struct Account: Sendable {
    let name: String
    let user: uid_t
    let group: gid_t

    /// Throws when there is none of that name.
    init(named name: String) throws(ProbeFailure) {
        guard let entry = getpwnam(name) else { throw ProbeFailure("there is no user `\(name)`") }
        self.name = name
        user = entry.pointee.pw_uid
        group = entry.pointee.pw_gid
    }

    /// Makes this process that user's for good, and the workplace too.
    func become(giving workplace: Workplace) throws(ProbeFailure) {
        try workplace.give(to: user, group)
        let error = probe_become(user, group)
        guard error == 0 else { throw ProbeFailure("cannot become \(name): errno \(error)") }
    }
}
