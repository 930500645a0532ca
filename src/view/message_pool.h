#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace thixo {

/// Messages whose memory is used again once they are sent. New memory comes from the system as pages of
/// zeros, one fault each: for a frame of particles that takes as long as to encode it.
class MessagePool {
public:
    static constexpr std::size_t most_kept = 4;

    /// One to be written over. It comes back with the last pointer to it, in whatever thread.
    std::shared_ptr<std::string> take() {
        std::unique_ptr<std::string> text;
        {
            const std::lock_guard lock(kept_->mutex);
            if (!kept_->texts.empty()) {
                text = std::move(kept_->texts.back());
                kept_->texts.pop_back();
            }
        }
        if (!text) text = std::make_unique<std::string>();
        return {text.release(), [kept = kept_](std::string* sent) {
                    std::unique_ptr<std::string> back(sent);
                    const std::lock_guard lock(kept->mutex);
                    if (kept->texts.size() < most_kept) kept->texts.push_back(std::move(back));
                }};
    }

private:
    struct Kept {
        std::mutex mutex;
        std::vector<std::unique_ptr<std::string>> texts;
    };
    std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
};

}  // namespace thixo
