public import CompanionProtocol
public import RigBase

extension MeshCoreSession {
    /// Asks SELF_INFO anew; a contact listing left in the radio is stopped by it.
    @discardableResult
    public func startApp() async throws(SessionError) -> SelfInfoReply { try await startApp(.codes([.selfInfo])) }

    @discardableResult
    func startApp(_ matcher: ReplyMatcher) async throws(SessionError) -> SelfInfoReply {
        try await ask(AppStartCommand(appName: configuration.appName), for: SelfInfoReply.self, matcher)
    }

    /// Tells the radio which protocol version this client understands, and learns what the radio is.
    @discardableResult
    public func queryDevice(appVersion: UInt8? = nil) async throws(SessionError) -> DeviceInfoReply {
        try await ask(
            DeviceQueryCommand(appVersion: appVersion ?? configuration.appVersion), for: DeviceInfoReply.self)
    }

    /// The radio's clock, Unix seconds.
    public func getDeviceTime() async throws(SessionError) -> UInt32 {
        try await ask(GetDeviceTimeCommand(), for: DeviceTimeReply.self).seconds
    }

    /// Sets the radio's clock; an earlier time than it has is refused with `illegalArgument`.
    public func setDeviceTime(_ seconds: UInt32) async throws(SessionError) {
        try await set(SetDeviceTimeCommand(seconds: seconds))
    }

    public func getBattery() async throws(SessionError) -> BatteryReply {
        try await ask(GetBatteryAndStorageCommand(), for: BatteryReply.self)
    }

    public func getStatistics(_ kind: StatisticsKind) async throws(SessionError) -> StatisticsReply {
        try await ask(GetStatisticsCommand(kind: kind), for: StatisticsReply.self, .statistics(kind))
    }

    /// Sets the radio's name, cut to 31 bytes between two characters.
    public func setName(_ name: String) async throws(SessionError) {
        try await set(SetAdvertNameCommand(cutting: name))
    }

    public func setPosition(_ position: GeoPosition) async throws(SessionError) {
        try await set(SetAdvertPositionCommand(position: position, altitude: 0))
    }

    public func setTransmitPower(dBm: Int8) async throws(SessionError) {
        try await set(SetTransmitPowerCommand(dBm: dBm))
    }

    /// Retunes the radio; without `repeats` client repeat is switched off.
    public func setRadio(_ settings: RadioSettings, repeats: Bool? = nil) async throws(SessionError) {
        try await set(SetRadioParametersCommand(settings: settings, repeats: repeats))
    }

    public func getTuning() async throws(SessionError) -> Tuning {
        try await ask(GetTuningCommand(), for: TuningReply.self).tuning
    }

    public func setTuning(_ tuning: Tuning) async throws(SessionError) { try await set(SetTuningCommand(tuning)) }

    public func setDevicePin(_ pin: UInt32) async throws(SessionError) { try await set(SetDevicePinCommand(pin: pin)) }

    public func getAutoAdd() async throws(SessionError) -> AutoAddReply {
        try await ask(GetAutoAddCommand(), for: AutoAddReply.self)
    }

    public func setAutoAdd(_ mask: AutoAddMask, maxHops: UInt8? = nil) async throws(SessionError) {
        try await set(SetAutoAddCommand(mask: mask, maxHops: maxHops))
    }

    public func getCustomVariables() async throws(SessionError) -> [(name: String, value: String)] {
        try await ask(GetCustomVariablesCommand(), for: CustomVariablesReply.self).pairs
    }

    public func setCustomVariable(_ name: String, to value: String) async throws(SessionError) {
        try await set(SetCustomVariableCommand(name: name, value: value))
    }

    public func getRepeatFrequencies() async throws(SessionError) -> [RepeatFrequenciesReply.Range] {
        try await ask(GetRepeatFrequenciesCommand(), for: RepeatFrequenciesReply.self).ranges
    }

    /// Hash size − 1 of floods the radio originates, 0 to 2.
    public func setPathHashMode(_ mode: UInt8) async throws(SessionError) {
        try await set(SetPathHashModeCommand(mode: mode))
    }

    public func setFloodScope(_ scope: SetFloodScopeCommand.Scope) async throws(SessionError) {
        try await set(SetFloodScopeCommand(scope: scope))
    }

    public func getDefaultFloodScope() async throws(SessionError) -> FloodScope? {
        try await ask(GetDefaultFloodScopeCommand(), for: DefaultFloodScopeReply.self).scope
    }

    /// Sets the scope floods have unless told otherwise; nil clears it.
    public func setDefaultFloodScope(_ scope: FloodScope?) async throws(SessionError) {
        try await set(SetDefaultFloodScopeCommand(scope: scope))
    }

    public func sendAdvert(flood: Bool) async throws(SessionError) {
        try await set(SendSelfAdvertCommand(floods: flood))
    }

    /// Restarts the radio. There is no answer; the link may go down.
    public func reboot() async throws(SessionError) { _ = try await send(RebootCommand()) }

    /// Erases the radio and restarts it. There is no answer; the link goes down.
    public func factoryReset() async throws(SessionError) { _ = try await send(FactoryResetCommand()) }

    // MARK: Parameters that share one command

    /// Changes some of the four other parameters and keeps the rest, one change at a time.
    ///
    /// All four are written, then SELF_INFO is read again; what it tells is returned.
    @discardableResult
    public func changeOtherParameters(
        _ change: @Sendable (inout OtherParameters) -> Void
    ) async throws(SessionError) -> OtherParameters {
        await enterParameters()
        defer { leaveParameters() }
        var parameters: OtherParameters
        if let known = selfInfo?.parameters { parameters = known } else { parameters = try await startApp().parameters }
        change(&parameters)
        try await set(SetOtherParametersCommand(parameters))
        return try await startApp().parameters
    }

    private func enterParameters() async {
        guard parametersQueue != nil else {
            parametersQueue = []
            return
        }
        await withCheckedContinuation { parametersQueue?.append($0) }
    }

    private func leaveParameters() {
        guard var queue = parametersQueue else { return }
        if queue.isEmpty {
            parametersQueue = nil
        } else {
            let next = queue.removeFirst()
            parametersQueue = queue
            next.resume()
        }
    }

    // MARK: Keys and signatures

    /// The radio's private key; `disabled` when its build forbids it.
    public func exportPrivateKey() async throws(SessionError) -> Secret {
        let frame = try await reply(ExportPrivateKeyCommand(), .codes(ExportPrivateKeyCommand.replies))
        switch frame {
        case .privateKey(let reply): return reply.key
        case .disabled: throw .disabled
        default: throw .malformedReply("\(frame?.description ?? "nothing")")
        }
    }

    /// Replaces the radio's private key (64 bytes) and reads SELF_INFO again.
    public func importPrivateKey(_ key: Secret) async throws(SessionError) {
        try await set(ImportPrivateKeyCommand(key: key))
        try await startApp()
    }

    /// An Ed25519 signature by the radio over `data`.
    public func sign(_ data: [UInt8]) async throws(SessionError) -> [UInt8] {
        let limit = try await ask(SignStartCommand(), for: SignStartedReply.self).limit
        guard data.count <= Int(limit) else {
            throw .invalidArgument("the radio signs \(limit) bytes at most, not \(data.count)")
        }
        let chunk = 120
        for start in stride(from: 0, to: data.count, by: chunk) {
            try await set(SignDataCommand(data: Array(data[start..<min(start + chunk, data.count)])))
        }
        return try await ask(SignFinishCommand(), for: SignatureReply.self, timeout: configuration.timeout * 3)
            .signature
    }
}
