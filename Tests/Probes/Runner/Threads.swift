import Glibc
import Synchronization

/// Starts a thread; nil when the system gives none.
func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    let error = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, box.toOpaque())
    guard error == 0 else {
        box.release()
        return nil
    }
    return thread
}

/// Calls `body` for every index below `count`, on some threads at once, the caller's among them.
func inParallel(_ count: Int, threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let next = Counter()
    let work: @Sendable () -> Void = {
        while true {
            let index = next.value.add(1, ordering: .relaxed).oldValue
            if index >= count { return }
            body(index)
        }
    }
    let others = (1..<max(1, min(count, threads))).map { _ in startThread(work) }
    work()
    for thread in others { if let thread { pthread_join(thread, nil) } }
}

private final class Counter: Sendable {
    let value = Atomic(0)
}
