import CProbeRunner
import Glibc

/// What controls leave behind: processes that moved out of their group and outlived it. They become children
/// of this process, which ends them. No sandbox may be running meanwhile.
enum Orphans {
    /// From here on orphans come to this process.
    static func adopt() throws(ProbeFailure) {
        let error = probe_adopt_orphans(true)
        guard error == 0 else { throw ProbeFailure("orphans cannot be adopted: errno \(error)") }
    }

    /// The children of this process. proc(5), children
    static func children() -> [pid_t] {
        let tasks = (try? Files.names(in: "/proc/self/task")) ?? []
        return tasks.flatMap { task in
            // A thread may have ended meanwhile, and its list with it.
            ((try? Files.text("/proc/self/task/\(task)/children")) ?? "").split(separator: " ")
                .compactMap { pid_t($0) }
        }
    }

    /// Ends one child, and waits until it has.
    static func end(_ child: pid_t) {
        kill(child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
    }

    /// Ends all that have come. Each that ends may hand over children of its own.
    static func end() {
        while true {
            let children = children()
            if children.isEmpty { break }
            children.forEach(end)
        }
        _ = probe_adopt_orphans(false)
    }
}
