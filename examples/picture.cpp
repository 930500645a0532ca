// Draws the last frame of a scene: the one program here that needs Embree, by thixo::render.
//
//   picture SCENE FILE.png
#include <thixo/render/picture.h>
#include <thixo/thixo.h>

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
    if (argc != 3) return std::fprintf(stderr, "usage: picture SCENE FILE.png\n"), 2;
    try {
        thixo::Run run(thixo::load_scene(argv[1]));
        while (!run.done()) run.advance_frame();
        thixo::write_picture(argv[2], run.scene(), run.columns(), run.time(),
                             {.width = 640, .height = 360, .colour_by = thixo::ColourBy::speed});
    } catch (const std::exception& error) {
        return std::fprintf(stderr, "error: %s\n", error.what()), 1;
    }
}
