internal import CSodium

/// Access to libsodium after its one initialisation (`sodium_init`), which the first use makes.
enum Sodium {
    static let isReady: Bool = {
        precondition(sodium_init() >= 0, "libsodium could not be initialised")
        return true
    }()
}
