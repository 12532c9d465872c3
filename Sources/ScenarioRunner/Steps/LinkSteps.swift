internal import ClientServices
internal import RigBase
internal import RigRuntime
internal import RunRecord
internal import ScenarioModel

/// `connect`: brings the client's link up and syncs; done when the client is ready, or the attempt has failed for good.
struct ConnectStep: Step {
    static let kind = StepKind(
        keyword: "connect", summary: "connect the client; done when it is ready or has failed", type: nil,
        example: "connect"
    ) { _ in Self() }

    func run(_ scene: StepScene) async throws -> StepValue {
        let client = scene.testbed.client
        let changes = client.states()
        try await client.connect()
        // A first sync that failed is tried again, and a lost link is rebuilt.
        var state = await client.state
        if state != .ready, state != .disconnected {
            for await change in changes {
                state = change
                if change == .ready || change == .disconnected { break }
            }
        }
        guard state == .ready else { throw StepFailure("not-connected", "the connection was given up") }
        return ""
    }
}

/// `disconnect`: what a user does who ends the connection; done when the link is down.
struct DisconnectStep: Step {
    static let kind = StepKind(
        keyword: "disconnect", summary: "end the connection as its user; done when the link is down", type: nil,
        example: "disconnect"
    ) { _ in Self() }

    func run(_ scene: StepScene) async throws -> StepValue {
        await scene.testbed.client.disconnect()
        return ""
    }
}

/// `reconnect`: what a user does who ends the connection and starts it anew; done as `connect` is.
struct ReconnectStep: Step {
    static let kind = StepKind(
        keyword: "reconnect", summary: "end the connection as its user and connect again; done as `connect` is",
        type: nil, example: "reconnect"
    ) { _ in Self() }

    func run(_ scene: StepScene) async throws -> StepValue {
        await scene.testbed.client.disconnect()
        return try await ConnectStep().run(scene)
    }
}

/// `lose-link`: the host link breaks now; with `for`, new connections are refused that long. Done at once.
struct LoseLinkStep: Step {
    let refusing: Duration?

    static let kind = StepKind(
        keyword: "lose-link",
        summary: "break the host link; with `for`, refuse new connections that long; done at once",
        type: .shape(
            ShapeDescriptor(
                "a lost host link", shorthand: "for",
                [FieldDescriptor("for", .duration, "how long new connections are refused")])),
        example: "lose-link: 3s"
    ) { input in Self(refusing: input.mapping.duration("for")) }

    func run(_ scene: StepScene) async throws -> StepValue {
        try await scene.testbed.loseHostLink(refusingFor: refusing)
        return ""
    }
}

/// `wait: 3s`: lets time pass.
struct WaitStep: Step {
    let duration: Duration

    static let kind = StepKind(
        keyword: "wait", summary: "let so much time pass", type: .duration, example: "wait: 3s"
    ) { input in input.value { $0.duration($1) }.map { Self(duration: $0) } }

    func run(_ scene: StepScene) async throws -> StepValue {
        try await scene.testbed.runtime.sleep(for: duration)
        return ""
    }
}

/// `note: text`: writes a line into the journal.
struct NoteStep: Step {
    let text: String

    static let kind = StepKind(
        keyword: "note", summary: "write a line into the journal", type: .text, example: "note: now the hard part"
    ) { input in input.value { $0.text($1) }.map { Self(text: $0) } }

    func run(_ scene: StepScene) async throws -> StepValue {
        scene.testbed.runtime.post(.note, "", ["text": .text(text)])
        return ""
    }
}

/// `snapshot`: what the client has stored at this moment, for comparison.
struct SnapshotStep: Step {
    static let kind = StepKind(
        keyword: "snapshot",
        summary: "note what the client has stored; gives " + StoreFacts.names.map { "`\($0)`" }.joined(separator: ", "),
        type: nil, example: "snapshot:\nas: before"
    ) { _ in Self() }

    func run(_ scene: StepScene) async throws -> StepValue { StepValue("", await scene.testbed.storeFacts()) }
}

/// `phase: outage`: from here on the run is in a phase of that name, which expectations can be limited to.
struct PhaseStep: Step {
    let name: String

    static let kind = StepKind(
        keyword: "phase",
        summary: "begin a phase of the run, up to the next one; expectations with `during` look at nothing else",
        type: .text, example: "phase: outage"
    ) { input in input.value { $0.text($1) }.map { Self(name: $0) } }

    func run(_ scene: StepScene) async throws -> StepValue {
        scene.testbed.runtime.post(.phase, "", ["name": .text(name)])
        return ""
    }
}

/// `stop-fault: name`: a fault of the file no longer acts.
struct StopFaultStep: Step {
    let name: String

    static let kind = StepKind(
        keyword: "stop-fault", summary: "take a fault out; done at once", type: .text, example: "stop-fault: cable out"
    ) { input in input.name(.fault).map { Self(name: $0) } }

    func run(_ scene: StepScene) async throws -> StepValue {
        scene.testbed.faults.remove(named: name)
        return ""
    }
}

/// `start-fault: name`: a fault of the file that waits for this (`start: by-step`) begins to act.
struct StartFaultStep: Step {
    let name: String

    static let kind = StepKind(
        keyword: "start-fault", summary: "put in a fault of the file that has `start: by-step`; done at once",
        type: .text, example: "start-fault: cable out"
    ) { input in input.name(.fault).map { Self(name: $0) } }

    func run(_ scene: StepScene) async throws -> StepValue {
        try scene.testbed.faults.start(named: name)
        return ""
    }
}
