S My First Year in a New City

S Last year my family moved to a big city because of my father 's new job .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S At first I feeled very lonely because I did n't know nobody there .
A 3 4|||Vform|||felt|||REQUIRED|||-NONE-|||0
A 11 12|||Wci|||anybody||anyone|||REQUIRED|||-NONE-|||0
A 3 4|||Vform|||felt|||REQUIRED|||-NONE-|||1
A 8 12|||Vform|||knew nobody|||REQUIRED|||-NONE-|||1

S Our new flat is in centre of city , near of the university .
A 5 5|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 7 7|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 10 11|||Prep||||||REQUIRED|||-NONE-|||0
A 5 8|||WOinc|||the city centre|||REQUIRED|||-NONE-|||1
A 9 11|||Prep|||near|||REQUIRED|||-NONE-|||1

S Every mornings I take the bus number nine to go to the school .
A 1 2|||Nn|||morning|||REQUIRED|||-NONE-|||0
A 5 8|||WOinc|||number nine bus|||REQUIRED|||-NONE-|||0
A 11 12|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 0 2|||Nn|||Every morning|||REQUIRED|||-NONE-|||1
A 4 5|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 8 13|||Rloc-|||to school|||REQUIRED|||-NONE-|||1

S The people is friendly , but they speaks too fast for me .
A 2 3|||SVA|||are|||REQUIRED|||-NONE-|||0
A 7 8|||SVA|||speak|||REQUIRED|||-NONE-|||0
A 2 3|||SVA|||are|||REQUIRED|||-NONE-|||1
A 7 8|||SVA|||speak|||REQUIRED|||-NONE-|||1

S In the second week I have met a girl named Zoë in the queue of a small café .
A 5 7|||Vt|||met|||REQUIRED|||-NONE-|||0
A 14 15|||Prep|||at||in|||REQUIRED|||-NONE-|||0
A 5 7|||Vt|||met|||REQUIRED|||-NONE-|||1
A 13 15|||Prep|||queue at|||REQUIRED|||-NONE-|||1

S She laughed about my naïve questions , but she always answered them .
A 2 3|||Prep|||at|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Now I can say that the city that I hated it at the beginning became my home .
A 10 11|||Pref||||||REQUIRED|||-NONE-|||0
A 14 15|||Vt|||has become|||REQUIRED|||-NONE-|||0
A 9 11|||Pref|||hated|||REQUIRED|||-NONE-|||1
A 11 14|||Wci|||at first|||REQUIRED|||-NONE-|||1
A 14 15|||Vt|||has become|||REQUIRED|||-NONE-|||1

S Moving here was the best thing that happened to me so far .
A 2 3|||Vt|||is|||REQUIRED|||-NONE-|||0
A 7 8|||Vt|||has happened|||REQUIRED|||-NONE-|||0

S The Day Our Robot Fell Asleep

S In March our school has organised a science fair for all the students .
A 4 6|||Vt|||organised|||REQUIRED|||-NONE-|||0
A 4 6|||Vt|||organised|||REQUIRED|||-NONE-|||1
A 10 12|||ArtOrDet|||all|||OPTIONAL|||-NONE-|||1

S My team decided to build small robot which can sorts the rubbish .
A 4 6|||ArtOrDet|||build a small|||REQUIRED|||-NONE-|||0
A 9 10|||Vform|||sort|||REQUIRED|||-NONE-|||0
A 10 11|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 5 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 8 10|||Vform|||can sort|||REQUIRED|||-NONE-|||1

S We worked on it every day after school during three weeks .
A 8 9|||Prep|||for|||REQUIRED|||-NONE-|||0

S It was a lot of work , but nobody complained .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S The night before the fair we could not sleep because of we were so excited .
A 10 11|||Trans||||||REQUIRED|||-NONE-|||0
A 10 11|||Trans||||||REQUIRED|||-NONE-|||1

S Unfortunately the robot stopped to work just when the judges came to our table .
A 0 1|||Mec|||Unfortunately ,|||REQUIRED|||-NONE-|||0
A 4 6|||Vform|||working|||REQUIRED|||-NONE-|||0
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||1
A 3 6|||Vform|||stopped working|||REQUIRED|||-NONE-|||1

S I pushed the button again and again and again , but it did not moved .
A 14 15|||Vform|||move|||REQUIRED|||-NONE-|||0
A 5 7|||Rloc-||||||REQUIRED|||-NONE-|||1
A 14 15|||Vform|||move|||REQUIRED|||-NONE-|||1

S Then Jonas noticed that that that was missing was only a battery .
A 4 6|||Pform|||what|||REQUIRED|||-NONE-|||0
A 4 6|||Um|||the thing that|||REQUIRED|||-NONE-|||1

S We did n't win , however we have learned a lot about patience .
A 4 5|||Srun|||;|||REQUIRED|||-NONE-|||0
A 6 6|||Mec|||,|||REQUIRED|||-NONE-|||0
A 7 9|||Vt|||learned|||REQUIRED|||-NONE-|||0
A 4 6|||Srun|||, but|||REQUIRED|||-NONE-|||1
A 7 9|||Vt|||learned|||REQUIRED|||-NONE-|||1

S My grandmother 's soup is the best recipe that I know .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 7 8|||Wci|||dish|||REQUIRED|||-NONE-|||1

S First you must to cut two onion and fry them with butter .
A 3 4|||Vm||||||REQUIRED|||-NONE-|||0
A 6 7|||Nn|||onions|||REQUIRED|||-NONE-|||0
A 10 11|||Prep|||in|||REQUIRED|||-NONE-|||0
A 2 4|||Vm|||have to|||REQUIRED|||-NONE-|||1
A 6 7|||Nn|||onions|||REQUIRED|||-NONE-|||1
A 10 11|||Prep|||in|||REQUIRED|||-NONE-|||1

S After that you put the potatoes into pot and add litre water .
A 7 7|||ArtOrDet|||the||a|||REQUIRED|||-NONE-|||0
A 10 10|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 11 11|||Prep|||of|||REQUIRED|||-NONE-|||0
A 7 7|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1
A 10 12|||Prep|||one litre of water|||REQUIRED|||-NONE-|||1

S If you add too much salt will taste terrible .
A 6 6|||Mec|||,|||REQUIRED|||-NONE-|||0
A 6 6|||Pref|||it|||REQUIRED|||-NONE-|||0
A 6 6|||Mec|||,|||REQUIRED|||-NONE-|||1
A 6 6|||Pref|||it|||REQUIRED|||-NONE-|||1

S It have to cook slowly until the vegetables will be soft .
A 1 2|||SVA|||has|||REQUIRED|||-NONE-|||0
A 8 10|||Vt|||are||become|||REQUIRED|||-NONE-|||0
A 1 2|||SVA|||has|||REQUIRED|||-NONE-|||1
A 8 10|||Vt|||are||become|||REQUIRED|||-NONE-|||1

S The secret are the three spoons of mustard what she adds at the end .
A 2 3|||SVA|||is|||REQUIRED|||-NONE-|||0
A 8 9|||Pform|||that||which|||REQUIRED|||-NONE-|||0
A 2 3|||SVA|||is|||REQUIRED|||-NONE-|||1
A 5 6|||Wci|||spoonfuls|||REQUIRED|||-NONE-|||1
A 8 9|||Pform|||that|||REQUIRED|||-NONE-|||1

S My mother makes it same way , but my grandmother 's tastes more better .
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 12 13|||Wform||||||REQUIRED|||-NONE-|||0
A 4 4|||Prep|||in|||REQUIRED|||-NONE-|||1
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 12 14|||Wform|||better|||REQUIRED|||-NONE-|||1

S She never measures nothing , she just looks and knows .
A 3 4|||Wci|||anything|||REQUIRED|||-NONE-|||0
A 4 5|||Srun|||;|||REQUIRED|||-NONE-|||0
A 1 4|||Wci|||never measures anything|||REQUIRED|||-NONE-|||1
A 4 5|||Srun|||:|||REQUIRED|||-NONE-|||1

S Eat the soup with fresh bread and do n't forget the lemon .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Two summers ago I travelled by train from Lisbon to Vienna .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I wanted to buy the ticket in the station the machine was broken .
A 6 7|||Prep|||at|||REQUIRED|||-NONE-|||0
A 9 9|||Mec|||,|||REQUIRED|||-NONE-|||0
A 9 9|||Trans|||but|||REQUIRED|||-NONE-|||0
A 4 6|||ArtOrDet|||a ticket||my ticket|||REQUIRED|||-NONE-|||1
A 6 7|||Prep|||at|||REQUIRED|||-NONE-|||1
A 9 9|||Mec|||,|||REQUIRED|||-NONE-|||1
A 9 9|||Trans|||but|||REQUIRED|||-NONE-|||1

S The man in the information desk said me that my train leaves in four minutes .
A 2 3|||Prep|||at|||REQUIRED|||-NONE-|||0
A 6 7|||Wci|||told|||REQUIRED|||-NONE-|||0
A 11 12|||Vt|||was leaving|||REQUIRED|||-NONE-|||0
A 2 3|||Prep|||at|||REQUIRED|||-NONE-|||1
A 6 8|||Wci|||told me|||REQUIRED|||-NONE-|||1
A 11 12|||Vt|||would leave||was leaving|||REQUIRED|||-NONE-|||1

S I ran as fast as I could , with my big red heavy suitcase behind me .
A 10 13|||WOinc|||big heavy red|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I sat down and I saw that in front of me was sitting a pensioner which was reading newspaper .
A 7 15|||WOinc|||a pensioner was sitting opposite me|||REQUIRED|||-NONE-|||0
A 15 17|||Ssub|||,|||REQUIRED|||-NONE-|||0
A 18 18|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 15 16|||Pform|||who|||REQUIRED|||-NONE-|||1
A 18 18|||ArtOrDet|||a|||REQUIRED|||-NONE-|||1

S He told me that his wife and him had take this train every year since 1975 .
A 7 8|||Pform|||he|||REQUIRED|||-NONE-|||0
A 9 10|||Vform|||taken|||REQUIRED|||-NONE-|||0
A 4 8|||Pform|||he and his wife|||REQUIRED|||-NONE-|||1
A 9 10|||Vform|||taken|||REQUIRED|||-NONE-|||1

S Suddenly the train stopped in middle field , and the lights went out .
A 5 5|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 6 6|||Prep|||of|||REQUIRED|||-NONE-|||0
A 6 6|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 4 6|||ArtOrDet|||in the middle|||REQUIRED|||-NONE-|||1
A 6 6|||Prep|||of a|||REQUIRED|||-NONE-|||1

S Looking out of the window , everything was black .
A 0 1|||Smod|||When I looked|||REQUIRED|||-NONE-|||0
A 0 3|||Smod|||Outside|||REQUIRED|||-NONE-|||1

S We have waited two hours until the train moved again .
A 1 3|||Vt|||waited|||REQUIRED|||-NONE-|||0
A 5 6|||Wci|||before|||REQUIRED|||-NONE-|||0
A 1 3|||Vt|||waited for|||REQUIRED|||-NONE-|||1
A 5 6|||Wci|||before|||REQUIRED|||-NONE-|||1

S The old man shared his sandwiches with me , what was very kind of him .
A 9 10|||Pform|||which|||REQUIRED|||-NONE-|||0
A 9 10|||Pform|||which|||REQUIRED|||-NONE-|||1

S I arrived to Vienna at midnight , tired but happy .
A 2 3|||Prep|||in|||REQUIRED|||-NONE-|||0

S When I think about this journey today I do not remember the cathedrals which I have visited , but the strangers which I met in the trains , the sandwich of the old man and the feeling that all the world was open for me .
A 7 7|||Mec|||,|||REQUIRED|||-NONE-|||0
A 15 17|||Vt|||visited|||REQUIRED|||-NONE-|||0
A 21 22|||Pform|||whom||that|||REQUIRED|||-NONE-|||0
A 24 25|||Prep|||on|||REQUIRED|||-NONE-|||0
A 29 34|||Npos|||old man 's sandwich|||REQUIRED|||-NONE-|||0
A 38 40|||Wci|||the whole|||REQUIRED|||-NONE-|||0
A 43 44|||Prep|||to|||REQUIRED|||-NONE-|||0
A 6 8|||Mec|||today , I|||REQUIRED|||-NONE-|||1
A 15 17|||Vt|||visited|||REQUIRED|||-NONE-|||1
A 21 24|||Pform|||I met|||REQUIRED|||-NONE-|||1
A 24 25|||Prep|||on|||REQUIRED|||-NONE-|||1
A 38 41|||Wci|||the whole world|||REQUIRED|||-NONE-|||1
A 43 44|||Prep|||to|||REQUIRED|||-NONE-|||1

S Nowadays almost everybody have a mobile phone in the pocket .
A 3 4|||SVA|||has|||REQUIRED|||-NONE-|||0
A 8 9|||ArtOrDet|||their|||REQUIRED|||-NONE-|||0
A 3 4|||SVA|||has|||REQUIRED|||-NONE-|||1
A 7 10|||ArtOrDet|||in their pocket|||REQUIRED|||-NONE-|||1

S In my opinion phones are useful , but they also makes us lazy .
A 10 11|||SVA|||make|||REQUIRED|||-NONE-|||0
A 3 3|||Mec|||,|||OPTIONAL|||-NONE-|||1
A 10 11|||SVA|||make|||REQUIRED|||-NONE-|||1

S My sister uses hers for everything my brother only for games .
A 6 6|||Mec|||,|||REQUIRED|||-NONE-|||0
A 6 6|||Trans|||while|||REQUIRED|||-NONE-|||0
A 8 8|||V0|||uses|||REQUIRED|||-NONE-|||0
A 8 8|||Pref|||his|||REQUIRED|||-NONE-|||0
A 6 6|||Srun|||, and|||REQUIRED|||-NONE-|||1

S When I was child people was talking more to each other .
A 3 3|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 4 4|||Mec|||,|||REQUIRED|||-NONE-|||0
A 5 7|||Vt|||talked|||REQUIRED|||-NONE-|||0
A 2 4|||ArtOrDet|||was a child|||REQUIRED|||-NONE-|||1
A 4 4|||Mec|||,|||REQUIRED|||-NONE-|||1
A 5 11|||Wci|||talked more with one another|||REQUIRED|||-NONE-|||1

S Teachers say that phones distract the the students during the lessons .
A 5 6|||Rloc-||||||REQUIRED|||-NONE-|||0
A 5 7|||ArtOrDet||||||REQUIRED|||-NONE-|||1
A 9 10|||ArtOrDet||||||REQUIRED|||-NONE-|||1

S I agree with them in part .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S But a phone can be helpful too , for example for to translate a word which we do n't understand .
A 10 12|||Vform|||to|||REQUIRED|||-NONE-|||0
A 11 13|||Vform|||translating|||REQUIRED|||-NONE-|||1

S I think the school should teach us how use it in responsible way .
A 8 8|||Vform|||to|||REQUIRED|||-NONE-|||0
A 11 11|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 8 8|||Vform|||to|||REQUIRED|||-NONE-|||1
A 10 13|||Wform|||responsibly|||REQUIRED|||-NONE-|||1

S It is not the phone that is bad , it is the way how we use it .
A 13 14|||Pform||||||REQUIRED|||-NONE-|||0
A 8 9|||Srun|||;|||REQUIRED|||-NONE-|||1
A 11 14|||Pform|||how|||REQUIRED|||-NONE-|||1

S Since two years my mother works from home .
A 0 3|||Prep|||For two years|||REQUIRED|||-NONE-|||0
A 5 6|||Vt|||has worked||has been working|||REQUIRED|||-NONE-|||0
A 0 4|||WOinc|||My|||REQUIRED|||-NONE-|||1
A 5 6|||Vt|||has been working|||REQUIRED|||-NONE-|||1
A 8 8|||WOinc|||for two years|||REQUIRED|||-NONE-|||1

S She says that she is more productive and that she sees us more often .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S My father , however , misses his colleagues and the coffee breaks .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S He has to drive to the office one time per week for the meetings .
A 7 10|||Wci|||once a|||REQUIRED|||-NONE-|||0
A 7 9|||Wci|||once|||REQUIRED|||-NONE-|||1
A 12 13|||ArtOrDet||||||REQUIRED|||-NONE-|||1

S The biggest advantage of the remote work is that you save many time .
A 4 5|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 11 12|||Wci|||a lot of||so much||much|||REQUIRED|||-NONE-|||0
A 4 6|||ArtOrDet|||remote|||REQUIRED|||-NONE-|||1
A 11 12|||Wci|||a lot of|||REQUIRED|||-NONE-|||1

S On the other hand , is difficult to stop working when your office is your bedroom .
A 5 5|||Pref|||it|||REQUIRED|||-NONE-|||0
A 5 5|||Pref|||it|||REQUIRED|||-NONE-|||1

S Many companies wants that their workers come back .
A 2 3|||SVA|||want|||REQUIRED|||-NONE-|||0
A 3 4|||Ssub||||||REQUIRED|||-NONE-|||0
A 6 6|||Vform|||to|||REQUIRED|||-NONE-|||0
A 2 4|||Ssub|||want|||REQUIRED|||-NONE-|||1
A 6 6|||Vform|||to|||REQUIRED|||-NONE-|||1

S In the future , I would like a job where I can choose myself where I work .
A 12 14|||Um|||decide for myself|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Dear Sir or Madam , I am writing to complain about the coffee machine that I bought from you .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I have ordered it on your website on 3 May , and it was arriving two weeks later .
A 1 3|||Vt|||ordered|||REQUIRED|||-NONE-|||0
A 13 15|||Vt|||arrived|||REQUIRED|||-NONE-|||0
A 1 3|||Vt|||ordered|||REQUIRED|||-NONE-|||1
A 13 15|||Vt|||arrived|||REQUIRED|||-NONE-|||1

S The email showed " <b> 20 % off </b> " , with the code SPRING_20 , but I payed the full price of $ 80 & delivery .
A 18 19|||Mec|||paid|||REQUIRED|||-NONE-|||0
A 25 26|||Wci|||plus|||REQUIRED|||-NONE-|||0
A 18 19|||Mec|||paid||was charged|||REQUIRED|||-NONE-|||1
A 25 26|||Wtone|||and|||REQUIRED|||-NONE-|||1

S When I opened the box the glass was broken and the cable missed .
A 5 5|||Mec|||,|||REQUIRED|||-NONE-|||0
A 12 13|||Wci|||was missing|||REQUIRED|||-NONE-|||0
A 5 5|||Mec|||,|||REQUIRED|||-NONE-|||1
A 12 13|||Wci|||was missing|||REQUIRED|||-NONE-|||1

S I called to your customer service three times , but every time I have to wait very long .
A 2 3|||Prep||||||REQUIRED|||-NONE-|||0
A 13 14|||Vt|||had|||REQUIRED|||-NONE-|||0
A 16 18|||Wci|||a very long time|||REQUIRED|||-NONE-|||0
A 1 3|||Prep|||called|||REQUIRED|||-NONE-|||1
A 13 14|||Vt|||had|||REQUIRED|||-NONE-|||1
A 16 18|||Prep|||for a very long time|||REQUIRED|||-NONE-|||1

S The woman who finally answered was not polite at all .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S She said that it 's my fault because I did n't read the instruction careful .
A 4 5|||Vt|||was|||REQUIRED|||-NONE-|||0
A 13 14|||Nn|||instructions|||REQUIRED|||-NONE-|||0
A 14 15|||Wform|||carefully|||REQUIRED|||-NONE-|||0
A 4 5|||Vt|||was|||REQUIRED|||-NONE-|||1
A 13 14|||Nn|||instructions|||REQUIRED|||-NONE-|||1
A 14 15|||Wform|||carefully|||REQUIRED|||-NONE-|||1

S How can I broke a glass that was in a closed box ?
A 1 4|||Vm|||could I have broken|||REQUIRED|||-NONE-|||0
A 3 4|||Vform|||break|||REQUIRED|||-NONE-|||1

S I send you photos of the damages and a copy of receipt in the attachment .
A 1 2|||Vt|||am sending|||REQUIRED|||-NONE-|||0
A 6 7|||Nn|||damage|||REQUIRED|||-NONE-|||0
A 11 11|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 12 15|||Wci|||as attachments|||REQUIRED|||-NONE-|||0
A 1 3|||Wci|||have attached|||REQUIRED|||-NONE-|||1
A 6 7|||Nn|||damage|||REQUIRED|||-NONE-|||1
A 11 11|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1
A 12 15|||Rloc-||||||REQUIRED|||-NONE-|||1

S I ask you either to send me a new machine or that you give me back my money .
A 11 13|||Spar|||to|||REQUIRED|||-NONE-|||0
A 1 2|||Vt|||am asking|||REQUIRED|||-NONE-|||1
A 11 18|||Spar|||to refund my money|||REQUIRED|||-NONE-|||1

S If I do n't hear from you until 1 June , I will write about this in internet .
A 7 8|||Prep|||by|||REQUIRED|||-NONE-|||0
A 16 18|||Prep|||on the internet|||REQUIRED|||-NONE-|||0
A 7 8|||Prep|||by|||REQUIRED|||-NONE-|||1
A 16 17|||Prep|||on|||REQUIRED|||-NONE-|||1
A 17 17|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1

S I hope that we can find fast a solution that is good for the both sides .
A 5 7|||WOadv|||quickly find|||REQUIRED|||-NONE-|||0
A 13 14|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 6 8|||WOadv|||a quick|||REQUIRED|||-NONE-|||1
A 13 15|||ArtOrDet|||both|||REQUIRED|||-NONE-|||1

S I look forward to hear from you soon .
A 4 5|||Vform|||hearing|||REQUIRED|||-NONE-|||0

S Yours faithfully , a disappointed customer
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

