public import Glibc

/// What posix_spawn(3) lacks in Swift.
public enum Spawning {
    /// Closes in the child all descriptors from a number on; 0 or an error number.
    ///
    /// Libraries open descriptors that do not close at exec. A pipe that stays open in a child keeps
    /// its reader waiting as long as the child lives.
    public static func closeFrom(
        _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32
    ) -> Int32 {
        addCloseFrom(actions, first)
    }
}

/// glibc declares it under _GNU_SOURCE only.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func addCloseFrom(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32
) -> Int32
