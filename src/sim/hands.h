#pragma once

#include <cstdint>
#include <map>

#include "sim/event.h"
#include "sim/model.h"

namespace thixo {

/// What events make of a model: grabs, heaters and emitters of the hands, gravity, constants of materials.
/// The same events at the same times give the same model, so that a run that is resumed has what it had.
class Hands {
public:
    /// Throws an InputError, and leaves the model as it is, if the action makes no sense. Pushes and cuts do
    /// not change the model.
    void apply(const Action& action, double time, Model& model);

    /// What a hand does.
    enum class Work { grabs, heats, pours };
    struct Hand {
        Work work;
        std::size_t entry;  ///< of the model's grabs, heaters or emitters
    };
    /// Throws an InputError if it does nothing.
    const Hand& hand(std::uint64_t number) const;
    /// Every hand that does something, by number.
    const std::map<std::uint64_t, Hand>& busy() const { return hands_; }

private:
    void begin(const GrabAction& grab, double time, Model& model);
    void begin(const HeatAction& heat, double time, Model& model);
    void begin(const PourAction& pour, double time, Model& model);
    void drag(const DragAction& drag, double time, Model& model) const;
    void release(const ReleaseAction& release, double time, Model& model);
    void check_free(std::uint64_t number) const;

    std::map<std::uint64_t, Hand> hands_;
};

}  // namespace thixo
