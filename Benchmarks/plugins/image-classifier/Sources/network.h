/* MobileNetV2 (Sandler et al., 2018) at 160 pixels and width 1, in float32, with the weights that stand in the program. */
#ifndef NETWORK_H
#define NETWORK_H

enum { NETWORK_EDGE = 160, NETWORK_CLASSES = 19 };

/* The share of each class, from pixels from -1 to 1, row by row, three values each. False where there is no memory. */
int network_classify(const float *pixels, float shares[NETWORK_CLASSES]);

#endif
