internal import RigBase
internal import Synchronization

/// The user's side of a transport: its state, told to everybody who asked, and the chunks of the present connection.
///
/// Any thread may call it. States reach every listener in the order in which they were set, and a loss is told before
/// the chunks of its connection end. No lock is held while a listener is resumed.
package final class LinkFront: Sendable {
    /// Numbers the connections of one transport, so that what belongs to an old one cannot touch the present one.
    package typealias Connection = UInt64

    private typealias Listener = AsyncStream<LinkState>.Continuation

    private struct State {
        var link = LinkState.down(nil)
        var connection: Connection = 0
        var chunks: AsyncStream<[UInt8]>?
        var feed: AsyncStream<[UInt8]>.Continuation?
        var listeners: [(id: UInt64, listener: Listener)] = []
        var nextListener: UInt64 = 0
        var untold: [(state: LinkState, listeners: [Listener])] = []
        var isTelling = false
    }

    private let state = Mutex(State())

    package init() {}

    package var link: LinkState { state.withLock { $0.link } }
    package var isUp: Bool { link == .up }

    /// An attempt begins; false when the link is up or another attempt is under way.
    package func beginConnecting() -> Bool {
        let began = state.withLock { state -> Bool in
            guard case .down = state.link else { return false }
            Self.set(.connecting, &state)
            return true
        }
        tell()
        return began
    }

    /// The attempt did not succeed; harmless when it was ended meanwhile.
    package func connectingFailed(_ loss: LinkLoss) {
        state.withLock { state in
            if state.link == .connecting { Self.set(.down(loss), &state) }
        }
        tell()
    }

    /// The attempt succeeded: a new stream of chunks begins. Nil when the attempt was given up meanwhile.
    package func up() -> Connection? {
        let connection = state.withLock { state -> Connection? in
            guard state.link == .connecting else { return nil }
            state.connection += 1
            (state.chunks, state.feed) = AsyncStream.makeStream(of: [UInt8].self)
            Self.set(.up, &state)
            return state.connection
        }
        tell()
        return connection
    }

    /// What a decorator's `connect` does: brings `base` up and then this front, or neither. Nil when the link is up already.
    ///
    /// `first` is what precedes the attempt and may make it fail. `onFailure` is told why `base` did not come up. Throws what `base` threw, or that the attempt was given up meanwhile.
    package func connect(
        over base: any Transport, first: () async throws -> Void = {}, onFailure: (any Error) -> Void = { _ in }
    ) async throws -> Connection? {
        guard beginConnecting() else {
            if isUp { return nil }
            throw TransportError.connectFailed("another attempt is under way")
        }
        do {
            try await first()
            try await base.connect()
        } catch {
            connectingFailed(.failed("\(error)"))
            onFailure(error)
            throw error
        }
        guard let connection = up() else {
            await base.disconnect()
            throw TransportError.connectFailed("given up")
        }
        return connection
    }

    /// Hands a chunk to the user; false when that connection is over.
    @discardableResult
    package func deliver(_ chunk: [UInt8], on connection: Connection) -> Bool {
        let feed = state.withLock { $0.connection == connection ? $0.feed : nil }
        feed?.yield(chunk)
        return feed != nil
    }

    /// Ends the connection, or the present one when none is named; true for the call that ended it.
    @discardableResult
    package func down(_ loss: LinkLoss, on connection: Connection? = nil) -> Bool {
        var feed: AsyncStream<[UInt8]>.Continuation?
        let ended = state.withLock { state -> Bool in
            if let connection, connection != state.connection { return false }
            if case .down = state.link { return false }
            feed = state.feed
            state.feed = nil
            Self.set(.down(loss), &state)
            return true
        }
        tell()
        feed?.finish()
        return ended
    }

    /// The chunks of the present or the last connection; a stream that has ended when there was none.
    package func received() -> AsyncStream<[UInt8]> {
        state.withLock { $0.chunks } ?? AsyncStream { $0.finish() }
    }

    package func states() -> AsyncStream<LinkState> {
        let (stream, listener) = AsyncStream.makeStream(of: LinkState.self)
        let id = state.withLock { state in
            // Nobody reads the new stream yet, so this resumes nobody.
            listener.yield(state.link)
            defer { state.nextListener += 1 }
            state.listeners.append((state.nextListener, listener))
            return state.nextListener
        }
        listener.onTermination = { [weak self] _ in
            self?.state.withLock { state in state.listeners.removeAll { $0.id == id } }
        }
        return stream
    }

    private static func set(_ link: LinkState, _ state: inout State) {
        state.link = link
        state.untold.append((link, state.listeners.map(\.listener)))
    }

    /// Tells what is untold, outside the lock; one thread at a time, so that the order stays.
    private func tell() {
        var mayTell = state.withLock { state in
            defer { state.isTelling = true }
            return !state.isTelling
        }
        while mayTell {
            let next = state.withLock { state in
                if state.untold.isEmpty {
                    state.isTelling = false
                    return nil as (state: LinkState, listeners: [Listener])?
                }
                return state.untold.removeFirst()
            }
            guard let next else {
                mayTell = false
                continue
            }
            for listener in next.listeners { listener.yield(next.state) }
        }
    }
}

extension Transport {
    /// The state at this moment.
    package func presentState() async -> LinkState {
        for await state in await states() { return state }
        return .down(nil)
    }

    /// Why the link that just ended is down; `fallback` when it is up again already.
    package func presentLoss(otherwise fallback: LinkLoss) async -> LinkLoss {
        if case .down(let loss?) = await presentState() { return loss }
        return fallback
    }
}
