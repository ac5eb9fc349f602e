import COffloadWalls

/// What the process gives up before it reads its first byte.
enum Walls {
    /// Whether all of them stand.
    static func build() -> Bool {
        guard offload_remote_walls() == 0 else { return false }
        offload_wipe_freed()
        return true
    }
}
